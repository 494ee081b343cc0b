import { queryOptions } from '@tanstack/react-query';
import { send } from '../api/request.ts';

/** Invitation to which a link leads. */
export interface Invitation {
  readonly organization: string;
  readonly invited_by: string | null;
  readonly expires_at: string;
  /** Whether the holder may create an account. */
  readonly accounts: boolean;
}

const KEY = 'invitation';

/**
 * Takes the secret of an invitation from the URL. It stays in this tab until it is used, so that a sign-in can lead
 * back to the page, and is in no URL that others may see.
 */
export function takeSecret(): string {
  const fromUrl = location.hash.slice(1);
  if (fromUrl === '') return read();
  try {
    sessionStorage.setItem(KEY, fromUrl);
  } catch {
    return fromUrl;
  }
  history.replaceState(history.state, '', location.pathname);
  return fromUrl;
}

export function forgetSecret(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Without storage nothing was kept.
  }
}

function read(): string {
  try {
    return sessionStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

export const invitationQuery = (secret: string) =>
  queryOptions({
    queryKey: ['invitation', secret],
    queryFn: ({ signal }) =>
      send(
        { method: 'POST', address: '/app/~session/invitations/show', body: { secret } },
        signal,
      ) as Promise<Invitation>,
    retry: false,
  });
