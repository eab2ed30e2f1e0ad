/** The first lines that run: the remembered theme before anything is painted in it, then the window itself. */

try {
  const { theme } = JSON.parse(localStorage.getItem('belay.look') ?? '{}') as { theme?: unknown }
  if (theme === 'dark' || theme === 'light' || theme === 'contrast') document.documentElement.dataset.theme = theme
} catch {
  // Nothing remembered: the system's theme.
}

void import('./main.tsx')
