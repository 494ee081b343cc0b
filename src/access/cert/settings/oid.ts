import { oidFromDotted, ParseError } from '../../../x509/index.ts';

/** Returns whether a text is an object identifier such as `1.2.840`. */
export function isOid(text: string): boolean {
  try {
    oidFromDotted(text);
    return true;
  } catch (error) {
    if (error instanceof ParseError) return false;
    throw error;
  }
}
