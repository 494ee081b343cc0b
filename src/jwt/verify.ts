import { compactVerify, errors } from 'jose';
import { type Finding, finding } from './claims/finding.ts';
import { KeysError } from './keys/fetch-keys.ts';
import type { IssuerKeys } from './keys/issuer-keys.ts';
import type { VerificationKey } from './keys/key-set.ts';
import type { ParsedToken } from './token/parse-token.ts';

/** Whose signature a token bears: one finding about its algorithm and, where that is taken, one about the signature. */
export async function verifySignature(
  token: ParsedToken,
  issuers: readonly IssuerKeys[],
  algorithms: readonly string[],
): Promise<readonly Finding[]> {
  const isTaken = algorithms.includes(token.algorithm);
  const algorithm = finding('algorithm', isTaken, algorithms.join(', '), named(token.algorithm));
  if (!isTaken) return [algorithm];
  const faults: string[] = [];
  for (const issuer of issuers) {
    const fault = await faultOf(token, issuer);
    if (fault === undefined) return [algorithm, finding('signature', true, EXPECTED, 'made with one of them')];
    faults.push(fault);
  }
  return [algorithm, finding('signature', false, EXPECTED, [...new Set(faults)].join('; ') || 'there are no keys')];
}

const EXPECTED = 'made with a key of the issuer';

/** Whoever wrote the token chose it. */
const named = (algorithm: string): string => (/^[\w-]{1,20}$/.test(algorithm) ? algorithm : 'another');

async function faultOf(token: ParsedToken, issuer: IssuerKeys): Promise<string | undefined> {
  try {
    const keys = await issuer.candidates(token.algorithm, token.keyId);
    if (keys.length === 0) return 'made with a key that is not known';
    for (const key of keys) if (await isSignedWith(key, token)) return undefined;
    return 'not what a known key makes of it';
  } catch (error) {
    if (error instanceof KeysError) return `the keys cannot be fetched: ${error.message}`;
    throw error;
  }
}

async function isSignedWith({ key }: VerificationKey, { text, algorithm }: ParsedToken): Promise<boolean> {
  try {
    await compactVerify(text, key, { algorithms: [algorithm] });
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return false;
    throw error;
  }
}
