import { access } from '../../api/client.ts';

/** Normalizes a serial number to decimal digits; undefined if it is not valid. */
export function decimalOf(text: string): string | undefined {
  const plain = text.trim().toLowerCase();
  if (/^\d{1,60}$/.test(plain)) return BigInt(plain).toString();
  const digits = plain.replace(/^0x/, '').replaceAll(':', '');
  const isHex = /^0x|:/.test(plain) && /^[0-9a-f]{1,50}$/.test(digits);
  return isHex ? BigInt(`0x${digits}`).toString() : undefined;
}

/** Checks one serial number. The response is small even for a long CRL. */
export async function isListed(mount: string, name: string, serial: string): Promise<boolean> {
  const input = { path: { cert_mount_path: mount, name }, query: { serial } };
  const { data } = await access.send('GET /auth/{cert_mount_path}/crls/{name}', input);
  return serial in data.serials;
}
