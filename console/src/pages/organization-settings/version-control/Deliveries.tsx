import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../../api/change.ts';
import { workspaces } from '../../../api/client.ts';
import { Button } from '../../../components/button/Button.tsx';
import { announce } from '../../../components/copy/announce.ts';
import { QueryResult } from '../../../components/page-states/QueryResult.tsx';
import { Pager } from '../../../components/pager/Pager.tsx';
import { Section } from '../../../components/section/Section.tsx';
import { Table } from '../../../components/table/Table.tsx';
import { Ago } from '../../../components/time/Time.tsx';
import { EVERY_MS } from './connection.ts';
import { lookNow, type Repository } from './repository.ts';
import * as texts from './texts.ts';

const LIST = 'GET /vcs-repositories/{vcs_repository_id}/deliveries';
const SIZE = 20;

/** Deliveries of the webhook of a repository, and the outcome of each. */
export function Deliveries({ repository: { id, attributes } }: { readonly repository: Repository }) {
  const [page, setPage] = useState(1);
  const query = useQuery({
    ...workspaces.query(LIST, {
      path: { vcs_repository_id: id },
      query: { 'page[number]': String(page), 'page[size]': String(SIZE) },
    }),
    refetchInterval: EVERY_MS,
  });
  const again = useChange(
    () => lookNow(id),
    () => announce(texts.looksNow(attributes['display-identifier'])),
  );
  return (
    <Section title={texts.deliveries}>
      <p className="soft">{texts.tryAgainHelp}</p>
      {again.error && <p role="alert">{again.error.message}</p>}
      <QueryResult query={query} what={texts.deliveries}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <p className="soft">{texts.noDeliveriesYet}</p>
          ) : (
            <>
              <Table
                label={texts.deliveries}
                flush
                twoLines
                items={data}
                keyOf={(one) => one.id}
                columns={[
                  {
                    id: 'says',
                    head: texts.says,
                    isName: true,
                    cell: (one) => <bdi>{one.attributes.hints.join(', ')}</bdi>,
                  },
                  {
                    id: 'received',
                    head: texts.received,
                    className: 'soft',
                    cell: (one) => <Ago time={one.attributes['received-at']} />,
                  },
                  { id: 'outcome', head: texts.outcome, cell: (one) => <bdi>{one.attributes.outcome}</bdi> },
                  {
                    id: 'do',
                    head: texts.actions,
                    hideHead: true,
                    isNumber: true,
                    cell: (one) => (
                      <Button
                        look="small"
                        aria-label={texts.tryAgainFor(one.attributes['delivery-id'])}
                        onClick={() => again.mutate()}
                      >
                        {texts.tryAgain}
                      </Button>
                    ),
                  },
                ]}
              />
              <Pager page={page} size={SIZE} total={meta.pagination['total-count'] ?? 0} onPage={setPage} />
            </>
          )
        }
      </QueryResult>
    </Section>
  );
}
