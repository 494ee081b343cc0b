import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { day } from '../../format/time.ts';
import { NotForYou, usePart } from './part.tsx';

const LIST = 'GET /organizations/{organization_name}/recoverable-items';
const AT = '/recoverable-items/{recoverable_item_id}/actions';

/** Workspaces that were deleted, and can still be brought back. */
export function Recoverable() {
  const { path, may } = usePart(
    'Recoverable',
    (name) => workspaces.request(LIST, { path: { organization_name: name } }),
    (name) => `lockkeeper api GET organizations/${name}/recoverable-items`,
  );
  const mayAll = may?.['can-create-workspace'] ?? false;
  const items = useQuery({ ...workspaces.query(LIST, { path, query: { 'page[size]': '100' } }), enabled: mayAll });
  const recover = useChange(
    (id: string) => workspaces.send(`PUT ${AT}/recover`, { path: { recoverable_item_id: id } }),
    () => announce('Recovered'),
  );
  if (may && !mayAll) return <NotForYou needs="can-create-workspace" />;
  return (
    <Section title="Recoverable workspaces">
      <p className="soft">Deleted, with all that was in them, and kept for a while. Then they are gone.</p>
      {recover.error && <p role="alert">{recover.error.message}</p>}
      <Answered query={items} what="Recoverable workspaces">
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">Nothing that was deleted can be recovered.</p>
          ) : (
            <Table
              label="Recoverable workspaces"
              flush
              twoLines
              items={data}
              keyOf={({ id }) => id}
              columns={[
                { id: 'name', head: 'Name', isName: true, cell: ({ attributes }) => <bdi>{attributes.name}</bdi> },
                {
                  id: 'deleted',
                  head: 'Deleted',
                  className: 'soft',
                  cell: ({ attributes }) => (
                    <>
                      deleted <Ago time={attributes['deleted-at']} /> ago
                    </>
                  ),
                },
                {
                  id: 'until',
                  head: 'Kept until',
                  className: 'soft',
                  cell: ({ attributes }) => `until ${day(attributes['expires-at'])}`,
                },
                {
                  id: 'do',
                  head: 'What can be done',
                  hideHead: true,
                  isNumber: true,
                  cell: ({ id, attributes: { name } }) => (
                    <>
                      <Button look="small" aria-label={`Recover ${name}`} onClick={() => recover.mutate(id)}>
                        Recover
                      </Button>{' '}
                      {may?.['can-destroy'] && (
                        <Destroy
                          verb="Delete"
                          what={`workspace ${name} for ever`}
                          name={name}
                          isRow
                          run={() =>
                            workspaces.send(`PUT ${AT}/permanently-delete`, { path: { recoverable_item_id: id } })
                          }
                        >
                          <p>Its states, runs and variables go for ever.</p>
                        </Destroy>
                      )}
                    </>
                  ),
                },
              ]}
            />
          )
        }
      </Answered>
    </Section>
  );
}
