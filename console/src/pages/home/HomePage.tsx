import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { type Resources, workspaces } from '../../api/client.ts';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { type Session, sessionQuery } from '../../session/session.ts';
import { isDismissed } from '../../shell/dismissed.ts';
import * as texts from './texts.ts';

/** Redirects to the first page of each kind of user: what they can do decides. */
export function HomePage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  if (session.workspaces) return <ToOrganization session={session} />;
  // Other tokens may do little on the overview: their own page lists their policies.
  const isOperator = session.access?.is_root || session.access?.kind === 'certificate';
  return <Navigate to={isOperator ? '/~overview' : '/~access/token'} replace />;
}

function ToOrganization({ session }: { readonly session: Session }) {
  const organizations = useQuery(workspaces.query('GET /organizations', { query: { 'page[size]': '2' } }));
  return (
    <QueryResult query={organizations} what={texts.organizations}>
      {({ data: [first, second] }) =>
        !first ? (
          <ToFirstSteps session={session} />
        ) : !second ? (
          <ToOnly organization={first} />
        ) : (
          <Navigate to="/~overview" replace />
        )
      }
    </QueryResult>
  );
}

/** The guide needs the operator; another user without an organization waits for an invitation, or creates one. */
function ToFirstSteps({ session: { access, workspaces: who } }: { readonly session: Session }) {
  if (!who?.is_site_admin && !access?.is_root) return <Navigate to="/~welcome" replace />;
  return <Navigate to={isDismissed('guide') ? '/~organizations' : '/~guide'} replace />;
}

/** Leads to the only workspace of a member who cannot create others, else to the list. */
function ToOnly({ organization: { attributes } }: { readonly organization: Resources['organizations'] }) {
  const { name: organization, permissions } = attributes;
  const path = { organization_name: organization };
  const isMember = !permissions['can-create-workspace'];
  const list = useQuery({
    ...workspaces.query('GET /organizations/{organization_name}/workspaces', { path, query: { 'page[size]': '2' } }),
    enabled: isMember,
  });
  const all = <Navigate to="/$organization/workspaces" params={{ organization }} replace />;
  if (!isMember) return all;
  return (
    <QueryResult query={list} what={texts.workspaces}>
      {({ data: [only, another] }) =>
        only && !another ? (
          <Navigate
            to="/$organization/workspaces/$workspace"
            params={{ organization, workspace: only.attributes.name }}
            replace
          />
        ) : (
          all
        )
      }
    </QueryResult>
  );
}
