import { hash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { outline } from './outline.ts';

/** A path is a client certificate and its issuing CA: see `mutations/paths.ts`. */
export type Kind = 'certificate' | 'crl' | 'ocsp' | 'path';

/** One certificate, CRL or OCSP response of a corpus. */
export interface Input {
  readonly kind: Kind;
  readonly der: Buffer;
  /** `zlint/testdata/x.pem`; with `#2` for the second one in a file. */
  readonly name: string;
}

/** Shorter ones are shortened examples in manuals. */
const MIN_BYTES = 64;
/** Larger files are archives and programs. */
const MAX_FILE_BYTES = 4 * 2 ** 20;
const PEM = /-----BEGIN (CERTIFICATE|X509 CERTIFICATE|X509 CRL)-----([\s\S]*?)-----END \1-----/g;
/** Lines in a source file can be string literals: `"MII…\n" +`. */
const BETWEEN_LINES_OF_SOURCE = /\\[nr]|["']\s*\+\s*(?=["'])|["']/g;
/** DER of more than 256 bytes in a source file, in hex or base64. */
const DIGITS = /\b3082[0-9a-fA-F]{400,}/g;
const BASE64 = /\bMII[A-Za-z0-9+/]{300,}={0,2}/g;
const SEQUENCE = 0x30;

/** Returns every input in the files of a folder, whatever their names, without duplicates. */
export function inputsIn(corpora: Readonly<Record<string, string>>): Input[] {
  const inputs = new Map<string, Input>();
  for (const [corpus, folder] of Object.entries(corpora)) {
    for (const file of globSync('**', { cwd: folder }).sort()) {
      const path = join(folder, file);
      const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0 };
      if (size < MIN_BYTES || size > MAX_FILE_BYTES || !statSync(path).isFile()) continue;
      const found = inputsOf(readFileSync(path));
      for (const [i, { kind, der }] of found.entries()) {
        const key = `${kind} ${hash('sha256', der, 'hex')}`;
        const name = `${corpus}/${file}${found.length > 1 ? `#${i + 1}` : ''}`;
        if (!inputs.has(key)) inputs.set(key, { kind, der, name });
      }
    }
  }
  return [...inputs.values()];
}

type Found = Pick<Input, 'kind' | 'der'>;

function inputsOf(file: Buffer): Found[] {
  if (file[0] === SEQUENCE && (file[1] ?? 0) >= 0x80) return concatenated(file);
  const text = file.toString('latin1');
  return [...inPem(text), ...inText(text, DIGITS, 'hex'), ...inText(text.replace(PEM, ''), BASE64, 'base64')];
}

/** A file contains one input, or several one after the other. */
function concatenated(file: Buffer): Found[] {
  const found: Found[] = [];
  for (let rest = file; rest.length > 0; ) {
    const { kind, length } = outline(rest);
    // A file whose length does not match its DER length is an input all the same.
    const der =
      length === undefined || length > rest.length || !isDer(rest.subarray(length)) ? rest : rest.subarray(0, length);
    if (kind !== undefined) found.push({ kind, der });
    rest = rest.subarray(der.length);
  }
  return found;
}

function isDer(rest: Buffer): boolean {
  return rest.length === 0 || outline(rest).kind !== undefined;
}

function inPem(text: string): Found[] {
  return [...text.matchAll(PEM)].flatMap(([, label, body = '']) => {
    const base64 = body.replaceAll(BETWEEN_LINES_OF_SOURCE, '').replaceAll(/\s/g, '');
    const der = Buffer.from(base64, 'base64');
    return der.length < MIN_BYTES ? [] : [{ kind: label === 'X509 CRL' ? 'crl' : 'certificate', der }];
  });
}

function inText(text: string, pattern: RegExp, encoding: 'hex' | 'base64'): Found[] {
  return [...text.matchAll(pattern)].flatMap(([match]) => {
    const der = Buffer.from(match, encoding);
    const { kind, length } = outline(der);
    return kind === undefined || length !== der.length ? [] : [{ kind, der }];
  });
}
