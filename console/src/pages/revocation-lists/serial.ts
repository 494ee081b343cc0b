import { access } from '../../api/client.ts';

/** A serial number as lists have it; undefined for what is none. */
export function decimalOf(text: string): string | undefined {
  const plain = text.trim().toLowerCase();
  if (/^\d{1,60}$/.test(plain)) return BigInt(plain).toString();
  const digits = plain.replace(/^0x/, '').replaceAll(':', '');
  const isHex = /^0x|:/.test(plain) && /^[0-9a-f]{1,50}$/.test(digits);
  return isHex ? BigInt(`0x${digits}`).toString() : undefined;
}

/** One small answer, however long the list is. */
export async function isListed(mount: string, name: string, serial: string): Promise<boolean> {
  const input = { path: { cert_mount_path: mount, name }, query: { serial } };
  const { data } = await access.send('GET /auth/{cert_mount_path}/crls/{name}', input);
  return serial in data.serials;
}
