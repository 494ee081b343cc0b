/** Returns the path with a time limit if its response is an endless stream. */
export const untilItsEnd = (path: string): string =>
  /^(\/api\/v2)?\/events\/?$/.test(path) ? `${path}?seconds=0` : path;
