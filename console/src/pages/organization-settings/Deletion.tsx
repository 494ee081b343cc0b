import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { workspaces } from '../../api/client.ts';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { Section } from '../../components/section/Section.tsx';
import { counted } from '../../format/number.ts';
import { NotForYou, usePart } from './part.tsx';

const DELETE = 'DELETE /organizations/{organization_name}';

/** The end of an organization. */
export function Deletion() {
  const { organization, path, may } = usePart('Deletion', (name) =>
    workspaces.request(DELETE, { path: { organization_name: name } }),
  );
  const navigate = useNavigate();
  const one = { 'page[size]': '1' };
  const inside = useQuery({
    ...workspaces.query('GET /organizations/{organization_name}/workspaces', { path, query: one }),
    enabled: may?.['can-destroy'] ?? false,
  });
  const teams = useQuery({
    ...workspaces.query('GET /organizations/{organization_name}/teams', { path, query: one }),
    enabled: may?.['can-destroy'] ?? false,
  });
  if (may && !may['can-destroy']) return <NotForYou needs="can-destroy" />;
  const total = (answer: {
    readonly data?: { readonly meta: { readonly pagination: { 'total-count'?: number } } } | undefined;
  }) => answer.data?.meta.pagination['total-count'] ?? 0;
  const goes = `${counted(total(inside), 'workspace')} with all states and runs, ${counted(total(teams), 'team')}, every token and agent pool`;
  return (
    <Section title="Deletion">
      <p>It takes with it {goes}. Nothing of it can be recovered.</p>
      <p>
        <Destroy
          verb="Delete"
          what={`organization ${organization}`}
          name={organization}
          run={() => workspaces.send(DELETE, { path })}
          onDone={() => navigate({ to: '/~organizations' })}
        >
          <p>It takes with it {goes}.</p>
        </Destroy>
      </p>
    </Section>
  );
}
