/** Fits a line by least squares. Returns its slope and the standard error of the slope. */
export function fitLine(points: readonly (readonly [number, number])[]): { slope: number; error: number } {
  const mean = (pick: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const [x, y] = [mean(([at]) => at), mean(([, of]) => of)];
  const spread = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
  const slope = points.reduce((sum, [at, of]) => sum + (at - x) * (of - y), 0) / spread;
  const residual = points.reduce((sum, [at, of]) => sum + (of - y - slope * (at - x)) ** 2, 0);
  return { slope, error: Math.sqrt(residual / (points.length - 2) / spread) };
}
