import { isUtf8 } from 'node:buffer';

const BASE64 =
  /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;

/** Fails at the first character of nearly every policy that is not base64. */
const BASE64_LINES = /^[A-Za-z0-9+/=\r\n]*$/;

/**
 * Returns the text of a policy from a request, plain or base64-encoded. The two cannot be confused: every effective
 * policy has braces and quotes.
 */
export function policyText(sent: string): string {
  if (!BASE64_LINES.test(sent)) return sent;
  const joined = sent.replace(/[\r\n]+/g, '');
  if (!BASE64.test(joined)) return sent;
  const bytes = Buffer.from(joined, 'base64');
  return isUtf8(bytes) ? bytes.toString() : sent;
}
