import type { BuiltFile, Coding } from './built-files.ts';

/**
 * Returns the best content encoding that the file has and the client accepts (RFC 9110 §12.5.3). A client without the
 * header gets the plain bytes.
 */
export function codingFor({ codings }: BuiltFile, accepted: string | string[] | undefined): Coding {
  const taken = new Set(
    [accepted ?? '']
      .flat()
      .join(',')
      .split(',')
      .map((one) => one.trim().toLowerCase().split(/ *; */))
      .filter(([, weight]) => weight === undefined || !/^q=0(\.0*)?$/.test(weight))
      .map(([name]) => name),
  );
  return (['br', 'gzip'] as const).find((one) => taken.has(one) && codings.has(one)) ?? 'identity';
}
