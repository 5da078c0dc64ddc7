/** Returns whether a version is older than another one, by their first two numbers. */
export function isOlder(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [thanMajor = 0, thanMinor = 0] = than.split(".").map(Number);
  return major < thanMajor || (major === thanMajor && minor < thanMinor);
}
