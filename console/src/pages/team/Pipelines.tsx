import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { LastUsed } from '../../components/machine-identities/OfRole.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { PipelineDialog } from './PipelineDialog.tsx';
import { claimsText, ISSUERS, kindOf, type PipelineIdentity } from './pipeline.ts';
import styles from './team.module.css';

interface PipelinesProps {
  readonly organization: string;
  readonly team: Resources['teams'];
  readonly query: UseQueryResult<{ readonly data: readonly PipelineIdentity[] }>;
}

/** Which pipelines act for a team: no secret is kept in them. */
export function Pipelines({ organization, team, query }: PipelinesProps) {
  const [asking, setAsking] = useState<PipelineIdentity | 'new'>();
  const { name } = team.attributes;
  return (
    <Section
      title="Pipeline identities"
      end={
        <>
          <Link
            className="link"
            to="/$organization/teams/$team/pipelines"
            params={{ organization, team: team.id }}
            search={{}}
          >
            Try a token
          </Link>
          <Button look="small" onClick={() => setAsking('new')}>
            Add pipeline identity…
          </Button>
        </>
      }
    >
      <p className="soft">
        Jobs of GitHub Actions, GitLab or another issuer get a token of <bdi>team {name}</bdi> for minutes.
      </p>
      <Answered query={query} what="Pipeline identities">
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">There is none.</p>
          ) : (
            <Table
              label={`Pipeline identities of team ${name}`}
              flush
              twoLines
              className={styles.pipelines ?? ''}
              items={data}
              keyOf={({ id }) => id}
              columns={[
                { id: 'what', head: 'What', isName: true, cell: (one) => <bdi>{nameOf(one)}</bdi> },
                { id: 'of', head: 'Pipelines of', cell: ({ attributes }) => <Issuer of={attributes.issuer} /> },
                {
                  id: 'claims',
                  head: 'Claims',
                  cell: ({ attributes }) => (
                    <code title={claimsText(attributes)}>
                      <bdi>{claimsText(attributes).split('\n').join(', ')}</bdi>
                    </code>
                  ),
                },
                {
                  id: 'last',
                  head: 'Last used',
                  isNumber: true,
                  cell: ({ attributes }) => <LastUsed at={attributes['last-used-at']} />,
                },
                {
                  id: 'do',
                  head: 'What can be done',
                  hideHead: true,
                  isNumber: true,
                  cell: (one) => (
                    <span className={styles.does}>
                      <Button look="small" aria-label={`Change ${nameOf(one)}…`} onClick={() => setAsking(one)}>
                        Change…
                      </Button>
                      <Destroy
                        verb="Remove"
                        what={`identity ${nameOf(one)}`}
                        isRow
                        run={() =>
                          workspaces.send('DELETE /pipeline-identities/{pipeline_identity_id}', {
                            path: { pipeline_identity_id: one.id },
                          })
                        }
                      >
                        <p>
                          Its pipelines do not act for <bdi>team {name}</bdi> any more; tokens that they have end at
                          once.
                        </p>
                      </Destroy>
                    </span>
                  ),
                },
              ]}
            />
          )
        }
      </Answered>
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

/** What people call it, or the first of what is bound. */
const nameOf = ({ attributes }: PipelineIdentity): string =>
  attributes.description || (claimsText(attributes).split('\n')[0] ?? '');

function Issuer({ of }: { readonly of: string }) {
  const kind = kindOf(of);
  return kind && of === ISSUERS[kind].issuer ? ISSUERS[kind].name : <code>{of}</code>;
}
