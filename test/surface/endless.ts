/** The same path, with its end where what it answers would go on as long as somebody listens. */
export const untilItsEnd = (path: string): string =>
  /^(\/api\/v2)?\/events\/?$/.test(path) ? `${path}?seconds=0` : path;
