// Before anything is drawn, so that a dark page never flashes white.
try {
  const theme = localStorage.getItem("quarry.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is closed to this page: the system's theme holds.
}
