import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { workspaces } from '../../api/client.ts';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { sessionQuery } from '../../session/session.ts';
import { isDismissed } from '../../shell/dismissed.ts';
import * as texts from './texts.ts';

/**
 * Redirects to the workspaces of the only organization, to the overview if there are several, or to the first steps if
 * there is none.
 */
export function HomePage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return session.workspaces ? <ToOrganization /> : <Navigate to="/~overview" replace />;
}

function ToOrganization() {
  const organizations = useQuery(workspaces.query('GET /organizations', { query: { 'page[size]': '2' } }));
  return (
    <QueryResult query={organizations} what={texts.organizations}>
      {({ data: [first, second] }) =>
        !first ? (
          <Navigate to={isDismissed('guide') ? '/~organizations' : '/~guide'} replace />
        ) : !second ? (
          <Navigate to="/$organization/workspaces" params={{ organization: first.attributes.name }} replace />
        ) : (
          <Navigate to="/~overview" replace />
        )
      }
    </QueryResult>
  );
}
