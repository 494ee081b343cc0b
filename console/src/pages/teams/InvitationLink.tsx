import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import * as texts from './texts.ts';

/** New link of an invitation, which is shown once. */
export interface NewLink {
  readonly email: string;
  readonly url: string;
  readonly end: string;
  /** Whether the server sends a link by email too. */
  readonly isMailed: boolean;
}

/** An open invitation. */
export interface Invited {
  readonly id: string;
  readonly email: string;
}

/** Creates the link of an invitation. The one before stops working. @throws ApiError */
async function newLink({ id, email }: Invited): Promise<NewLink> {
  const { data } = await workspaces.send('POST /organization-memberships/{membership_id}/actions/create-link', {
    path: { membership_id: id },
  });
  const { url, 'expires-at': end, 'is-mailed': isMailed } = data.attributes;
  return { email, url, end, isMailed };
}

/** Mutation that creates the link of an invitation. */
export const useNewLink = (onLink: (link: NewLink) => void): UseMutationResult<NewLink, Error, Invited> =>
  useMutation({ mutationFn: newLink, onSuccess: onLink });

interface LinkButtonProps extends Invited {
  readonly onLink: (link: NewLink) => void;
}

/** Creates another link of an open invitation. */
export function LinkButton({ id, email, onLink }: LinkButtonProps) {
  const create = useNewLink(onLink);
  return (
    <>
      {create.error && <span role="alert">{create.error.message}</span>}
      <Button
        look="small"
        aria-label={texts.newLinkFor(email)}
        off={create.isPending && texts.aLinkIsCreated}
        onClick={() => create.mutate({ id, email })}
      >
        {texts.newLink}
      </Button>
    </>
  );
}
