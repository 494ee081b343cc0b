import * as texts from './texts.ts';

const NAMES = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;

/** Names the browser of a user agent, `Firefox on Linux`; unknown ones in their own words. */
export function browserName(userAgent: string): string {
  const find = (names: readonly (readonly [RegExp, string])[]) => names.find(([sign]) => sign.test(userAgent))?.[1];
  const [name, system] = [find(NAMES), find(SYSTEMS)];
  if (name === undefined) return userAgent.slice(0, 40) || texts.unknownBrowser;
  return system === undefined ? name : texts.on(name, system);
}
