import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import type { Session } from '../../session/session.ts';
import { Banner } from '../banner/Banner.tsx';
import { Button } from '../button/Button.tsx';
import { announce } from '../copy/announce.ts';
import * as texts from './texts.ts';

/** Number of invitations that are shown; others follow when these are answered. */
const MOST = '5';

/** Open invitations of the user, above every page: each is accepted or declined with one click. */
export function Invitations({ session }: { readonly session: Session }) {
  const navigate = useNavigate();
  const open = useQuery({
    ...workspaces.query('GET /organization-memberships', {
      query: { 'filter[status]': 'invited', 'page[size]': MOST },
    }),
    enabled: session.workspaces?.kind === 'user',
    staleTime: 60_000,
  });
  const answer = useChange(
    ({ id, verb }: { id: string; verb: 'accept' | 'decline'; organization: string }) =>
      workspaces.send(`POST /organization-memberships/{membership_id}/actions/${verb}` as const, {
        path: { membership_id: id },
      }),
    (_done, { verb, organization }) => {
      announce(verb === 'accept' ? texts.accepted(organization) : texts.declined(organization));
      return verb === 'accept' ? navigate({ to: '/$organization/workspaces', params: { organization } }) : undefined;
    },
  );
  const invitations = open.data?.data ?? [];
  if (invitations.length === 0) return null;
  return (
    <section aria-label={texts.invitations}>
      {invitations.map(({ id, relationships }) => {
        const organization = relationships.organization.data?.id ?? '';
        const send = (verb: 'accept' | 'decline') => () => answer.mutate({ id, verb, organization });
        return (
          <Banner
            key={id}
            is="attention"
            icon="teams"
            actions={
              <>
                <Button look="small" onClick={send('accept')} aria-label={texts.acceptThe(organization)}>
                  {texts.accept}
                </Button>
                <Button look="small" onClick={send('decline')} aria-label={texts.declineThe(organization)}>
                  {texts.decline}
                </Button>
              </>
            }
          >
            {texts.youAreInvitedTo} <strong>{organization}</strong>.
            {answer.error && answer.variables?.id === id && <span role="alert"> {answer.error.message}</span>}
          </Banner>
        );
      })}
    </section>
  );
}
