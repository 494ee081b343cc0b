import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { workspaces } from '../../api/client.ts';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { Section } from '../../components/section/Section.tsx';
import { counted } from '../../format/number.ts';
import { NotForYou, usePart } from './part.tsx';
import * as texts from './texts.ts';

const DELETE = 'DELETE /organizations/{organization_name}';

/** Deletion of an organization. */
export function Deletion() {
  const { organization, path, may } = usePart(texts.deletion, (name) =>
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
  const goes = texts.withAllStatesAnd(counted(total(inside), 'workspace'), counted(total(teams), 'team'));
  return (
    <Section title={texts.deletion}>
      <p>{texts.thisAlsoDeletesIt(goes)}</p>
      <p>
        <Destroy
          verb={texts.deleteText}
          what={texts.organization(organization)}
          name={organization}
          run={() => workspaces.send(DELETE, { path })}
          onDone={() => navigate({ to: '/~organizations' })}
        >
          <p>{texts.thisAlsoDeletes(goes)}</p>
        </Destroy>
      </p>
    </Section>
  );
}
