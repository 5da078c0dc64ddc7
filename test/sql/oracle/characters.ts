/** Place of the first part in a text, from a place on, both counted from 1; 0 where there is none. */
export function place(part: string, source: string, start: number): number {
  const [wanted, characters] = [[...part], [...source]];
  for (let i = start - 1; i + wanted.length <= characters.length; i++) {
    if (wanted.every((character, j) => characters[i + j] === character)) return i + 1;
  }
  return 0;
}
