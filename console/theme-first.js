// Before anything is painted: the theme that somebody has chosen here, if they have.
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Without storage it is as the system asks.
}
