import { compactVerify, errors } from 'jose';
import { type Finding, finding } from './claims/finding.ts';
import { KeysError } from './keys/fetch-keys.ts';
import type { IssuerKeys } from './keys/issuer-keys.ts';
import type { VerificationKey } from './keys/key-set.ts';
import type { ParsedToken } from './token/parse-token.ts';

/**
 * Verifies the signature of a token. Returns a finding about its algorithm and, if that is accepted, one about the
 * signature.
 */
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
    if (fault === undefined)
      return [algorithm, finding('signature', true, EXPECTED, 'signed with a key of the issuer')];
    faults.push(fault);
  }
  return [algorithm, finding('signature', false, EXPECTED, [...new Set(faults)].join('; ') || 'there are no keys')];
}

const EXPECTED = 'signed with a key of the issuer';

/** The token's author chose this text, so only a plausible algorithm name is shown. */
const named = (algorithm: string): string => (/^[\w-]{1,20}$/.test(algorithm) ? algorithm : 'another');

async function faultOf(token: ParsedToken, issuer: IssuerKeys): Promise<string | undefined> {
  try {
    const keys = await issuer.candidates(token.algorithm, token.keyId);
    if (keys.length === 0) return 'signed with an unknown key';
    for (const key of keys) if (await isSignedWith(key, token)) return undefined;
    return 'the signature does not match any known key';
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
