import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { day } from '../../format/time.ts';
import { NotForYou, usePart } from './part.tsx';
import * as texts from './texts.ts';

const LIST = 'GET /organizations/{organization_name}/recoverable-items';
const AT = '/recoverable-items/{recoverable_item_id}/actions';

/** Deleted workspaces that can still be restored. */
export function Recoverable() {
  const { path, may } = usePart(
    texts.deletedWorkspaces,
    (name) => workspaces.request(LIST, { path: { organization_name: name } }),
    (name) => `lockkeeper api GET organizations/${name}/recoverable-items`,
  );
  const mayAll = may?.['can-create-workspace'] ?? false;
  const items = useQuery({ ...workspaces.query(LIST, { path, query: { 'page[size]': '100' } }), enabled: mayAll });
  const recover = useChange(
    (id: string) => workspaces.send(`PUT ${AT}/recover`, { path: { recoverable_item_id: id } }),
    () => announce(texts.restored),
  );
  if (may && !mayAll) return <NotForYou needs="can-create-workspace" />;
  return (
    <Section title={texts.deletedWorkspaces}>
      <p className="soft">{texts.deletedWorkspacesKeepAll}</p>
      {recover.error && <p role="alert">{recover.error.message}</p>}
      <QueryResult query={items} what={texts.deletedWorkspaces}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{texts.noDeletedWorkspaces}</p>
          ) : (
            <Table
              label={texts.deletedWorkspaces}
              flush
              twoLines
              items={data}
              keyOf={({ id }) => id}
              columns={[
                { id: 'name', head: texts.name, isName: true, cell: ({ attributes }) => <bdi>{attributes.name}</bdi> },
                {
                  id: 'deleted',
                  head: texts.deleted,
                  className: 'soft',
                  cell: ({ attributes }) => (
                    <>
                      {texts.deleted2} <Ago time={attributes['deleted-at']} /> {texts.ago}
                    </>
                  ),
                },
                {
                  id: 'until',
                  head: texts.keptUntil,
                  className: 'soft',
                  cell: ({ attributes }) => texts.until(day(attributes['expires-at'])),
                },
                {
                  id: 'do',
                  head: texts.actions,
                  hideHead: true,
                  isNumber: true,
                  cell: ({ id, attributes: { name } }) => (
                    <>
                      <Button look="small" aria-label={texts.restore(name)} onClick={() => recover.mutate(id)}>
                        {texts.restore2}
                      </Button>{' '}
                      {may?.['can-destroy'] && (
                        <Destroy
                          verb={texts.deleteText}
                          what={texts.workspacePermanently(name)}
                          name={name}
                          isRow
                          run={() =>
                            workspaces.send(`PUT ${AT}/permanently-delete`, { path: { recoverable_item_id: id } })
                          }
                        >
                          <p>{texts.itsStatesRunsAnd}</p>
                        </Destroy>
                      )}
                    </>
                  ),
                },
              ]}
            />
          )
        }
      </QueryResult>
    </Section>
  );
}
