import { useMutation } from '@tanstack/react-query';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import * as texts from './texts.ts';

/** New link of an invitation, which is shown once. */
export interface NewLink {
  readonly email: string;
  readonly url: string;
  readonly end: string;
  /** Whether the server sends a link by email too. */
  readonly isMailed: boolean;
}

/** Creates the link of an invitation. The one before stops working. @throws ApiError */
export async function newLink(id: string, email: string): Promise<NewLink> {
  const { data } = await workspaces.send('POST /organization-memberships/{membership_id}/actions/create-link', {
    path: { membership_id: id },
  });
  const { url, 'expires-at': end, 'is-mailed': isMailed } = data.attributes;
  return { email, url, end, isMailed };
}

interface LinkButtonProps {
  readonly id: string;
  readonly email: string;
  readonly onLink: (link: NewLink) => void;
}

/** Creates another link of an open invitation. */
export function LinkButton({ id, email, onLink }: LinkButtonProps) {
  const create = useMutation({
    mutationFn: () => newLink(id, email),
    onSuccess: onLink,
    onError: ({ message }) => announce(message),
  });
  return (
    <Button look="small" aria-label={texts.newLinkFor(email)} onClick={() => create.mutate()}>
      {texts.newLink}
    </Button>
  );
}
