import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { LastUsed } from '../../components/machine-identities/OfRole.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { PipelineDialog } from './PipelineDialog.tsx';
import { claimsText, ISSUERS, kindOf, type PipelineIdentity } from './pipeline.ts';
import styles from './team.module.css';
import * as texts from './texts.ts';

interface PipelinesProps {
  readonly organization: string;
  readonly team: Resources['teams'];
  readonly query: UseQueryResult<{ readonly data: readonly PipelineIdentity[] }>;
}

/** Lists the pipeline identities of a team. */
export function Pipelines({ organization, team, query }: PipelinesProps) {
  const [asking, setAsking] = useState<PipelineIdentity | 'new'>();
  const { name } = team.attributes;
  return (
    <Section
      title={texts.pipelineIdentities}
      end={
        <>
          <Link
            className="link"
            to="/$organization/teams/$team/pipelines"
            params={{ organization, team: team.id }}
            search={{}}
          >
            {texts.inspectAToken}
          </Link>
          <Button look="small" onClick={() => setAsking('new')}>
            {texts.addPipelineIdentity}
          </Button>
        </>
      }
    >
      <p className="soft">
        {texts.pipelinesLede} <bdi>{texts.team(name)}</bdi> {texts.pipelinesLedeEnd}
      </p>
      <QueryResult query={query} what={texts.pipelineIdentities}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{texts.noPipelineIdentitiesYet}</p>
          ) : (
            <Table
              label={texts.pipelineIdentitiesOfTeam(name)}
              flush
              twoLines
              className={styles.pipelines ?? ''}
              items={data}
              keyOf={({ id }) => id}
              columns={[
                { id: 'what', head: texts.name, isName: true, cell: (one) => <bdi>{nameOf(one)}</bdi> },
                { id: 'of', head: texts.ciSystem, cell: ({ attributes }) => <Issuer of={attributes.issuer} /> },
                {
                  id: 'claims',
                  head: texts.claims,
                  cell: ({ attributes }) => (
                    <code title={claimsText(attributes)}>
                      <bdi>{claimsText(attributes).split('\n').join(', ')}</bdi>
                    </code>
                  ),
                },
                {
                  id: 'last',
                  head: texts.lastUsed,
                  isNumber: true,
                  cell: ({ attributes }) => <LastUsed at={attributes['last-used-at']} />,
                },
                {
                  id: 'do',
                  head: texts.actions,
                  hideHead: true,
                  isNumber: true,
                  cell: (one) => (
                    <span className={styles.does}>
                      <Button look="small" aria-label={texts.change2(nameOf(one))} onClick={() => setAsking(one)}>
                        {texts.change3}
                      </Button>
                      <Destroy
                        verb={texts.remove}
                        what={texts.identity(nameOf(one))}
                        isRow
                        run={() =>
                          workspaces.send('DELETE /pipeline-identities/{pipeline_identity_id}', {
                            path: { pipeline_identity_id: one.id },
                          })
                        }
                      >
                        <p>
                          {texts.itsPipelinesCanNo} <bdi>{texts.team(name)}</bdi>{' '}
                          {texts.theirTokensAreRevokedImmediately}
                        </p>
                      </Destroy>
                    </span>
                  ),
                },
              ]}
            />
          )
        }
      </QueryResult>
      {asking && (
        <PipelineDialog
          key={asking === 'new' ? asking : asking.id}
          team={team}
          identity={asking === 'new' ? undefined : asking}
          onClose={() => setAsking(undefined)}
        />
      )}
    </Section>
  );
}

/** Returns the description of an identity, or its first claim. */
const nameOf = ({ attributes }: PipelineIdentity): string =>
  attributes.description || (claimsText(attributes).split('\n')[0] ?? '');

function Issuer({ of }: { readonly of: string }) {
  const kind = kindOf(of);
  return kind && of === ISSUERS[kind].issuer ? ISSUERS[kind].name : <code>{of}</code>;
}
