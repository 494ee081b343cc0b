import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../../api/change.ts';
import { Button } from '../../../components/button/Button.tsx';
import { announce } from '../../../components/copy/announce.ts';
import { QueryResult } from '../../../components/page-states/QueryResult.tsx';
import { Pager } from '../../../components/pager/Pager.tsx';
import { Section } from '../../../components/section/Section.tsx';
import { State } from '../../../components/state/State.tsx';
import { Table } from '../../../components/table/Table.tsx';
import { Ago } from '../../../components/time/Time.tsx';
import { count, counted } from '../../../format/number.ts';
import { HEALTH, HOOKS, lookNow, type Repository, SIZE, useRepositories } from './repository.ts';
import * as texts from './texts.ts';

interface RepositoriesProps {
  readonly organization: string;
  /** Id of a connection or an installation. */
  readonly connection: string;
}

/** Repositories that workspaces follow by a connection. */
export function Repositories({ organization, connection }: RepositoriesProps) {
  const [page, setPage] = useState(1);
  const query = useRepositories(connection, page);
  const total = query.data?.meta.pagination['total-count'] ?? 0;
  return (
    <Section title={texts.repositories} note={total > 0 && count(total)}>
      <QueryResult query={query} what={texts.repositories}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{texts.noRepositoriesYet}</p>
          ) : (
            <>
              <Table
                label={texts.repositories}
                flush
                twoLines
                items={data}
                keyOf={({ id }) => id}
                columns={[
                  {
                    id: 'name',
                    head: texts.repository,
                    isName: true,
                    cell: ({ id, attributes }) => (
                      <Link
                        to="/$organization/settings/version-control/repositories/$repository"
                        params={{ organization, repository: id }}
                      >
                        <bdi>{attributes['display-identifier']}</bdi>
                      </Link>
                    ),
                  },
                  { id: 'health', head: texts.health, cell: (one) => <RepositoryHealth repository={one} /> },
                  {
                    id: 'hook',
                    head: texts.webhook,
                    className: 'soft',
                    cell: ({ attributes }) => HOOKS[attributes['webhook-state']],
                  },
                  {
                    id: 'look',
                    head: texts.lastLook,
                    className: 'soft',
                    cell: ({ attributes }) =>
                      attributes['looked-up-at'] ? (
                        <>
                          <Ago time={attributes['looked-up-at']} /> {texts.ago}
                        </>
                      ) : (
                        texts.never
                      ),
                  },
                  {
                    id: 'workspaces',
                    head: texts.workspaces,
                    isNumber: true,
                    cell: ({ attributes }) => counted(attributes['workspace-count'], 'workspace'),
                  },
                  {
                    id: 'do',
                    head: texts.actions,
                    hideHead: true,
                    isNumber: true,
                    cell: (one) => <LookNow repository={one} isRow />,
                  },
                ]}
              />
              <Pager page={page} size={SIZE} total={total} isByTime={false} onPage={setPage} />
            </>
          )
        }
      </QueryResult>
    </Section>
  );
}

/** Health of a repository in one word. */
export function RepositoryHealth({ repository: { attributes } }: { readonly repository: Repository }) {
  return <State {...HEALTH[attributes.health]}>{texts.repositoryHealth[attributes.health]}</State>;
}

interface LookNowProps {
  readonly repository: Repository;
  readonly isRow?: boolean;
}

/** Asks the server to look at a repository now. */
export function LookNow({ repository: { id, attributes }, isRow = false }: LookNowProps) {
  const name = attributes['display-identifier'];
  const look = useChange(
    () => lookNow(id),
    () => announce(texts.looksNow(name)),
  );
  return (
    <>
      <Button {...(isRow && { look: 'small' })} aria-label={texts.lookAt(name)} onClick={() => look.mutate()}>
        {texts.lookNow}
      </Button>
      {look.error && <span role="alert">{look.error.message}</span>}
    </>
  );
}
