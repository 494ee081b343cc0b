import { AppError } from '../../../../lib/errors.ts';
import { ProviderError } from '../../provider/provider-error.ts';

/** Parameters with which a provider sends a user back (RFC 6749 §4.1.2). Untrusted. */
export interface CameBack {
  readonly code: string;
  readonly state: string;
  /** Present if the provider or the user has refused. */
  readonly error: string;
}

/** @limit code in the URL to which a VCS provider sends a user back, characters -> the user has to start again */
const LONGEST_CODE = 4096;
const NOT_YOURS =
  'This sign-in was not started in this session, or it was used, or more than 10 minutes have passed. Start again';

/** Creates the error for a sign-in that does not count. */
export const refusal = (detail = NOT_YOURS): AppError => new AppError('forbidden', detail);

/** Returns the code. @throws 403 if the provider or the user has refused */
export function codeOf({ code, error }: CameBack): string {
  if (error !== '') throw refusal('The provider did not grant the access. Start again, and allow it there');
  if (code === '' || code.length > LONGEST_CODE) throw refusal();
  return code;
}

/** Converts failures of a provider to errors that the user sees on the page. */
export async function whileSigningIn<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof ProviderError) throw refusal(error.message);
    throw error;
  }
}
