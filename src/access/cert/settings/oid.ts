import { oidOf } from '../../../x509/index.ts';

/** Returns whether a text is an object identifier such as `1.2.840`. */
export const isOid = (text: string): boolean => oidOf(text) !== undefined;
