/** Prints a Markdown table. Throws if a figure is not finite, because the run then measured nothing. */
export function printTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const lines = [head, head.map(() => "---"), ...rows.map((cells) => cells.map(cellText))];
  for (const cells of lines) process.stdout.write(`| ${cells.join(" | ")} |\n`);
}

function cellText(cell: string | number): string {
  if (typeof cell === "number" && !Number.isFinite(cell)) throw new RangeError(`a figure is ${cell}`);
  return String(cell);
}
