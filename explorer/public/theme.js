// Runs before anything is drawn, so a dark page never flashes white.
try {
  const theme = localStorage.getItem("quarry.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is unavailable to this page, so the system's theme applies.
}
