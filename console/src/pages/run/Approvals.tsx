import { useQuery } from '@tanstack/react-query';
import { workspaces } from '../../api/client.ts';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Section } from '../../components/section/Section.tsx';
import { State } from '../../components/state/State.tsx';
import { Ago } from '../../components/time/Time.tsx';
import styles from './run.module.css';
import * as texts from './texts.ts';
import { applyOf, hasBegun, type RunAnswer } from './use-run.ts';

const LIST = 'GET /runs/{run_id}/approvals';
const EVERY_MS = 5_000;

type Answer = Awaited<ReturnType<ReturnType<typeof approvalsQuery>['queryFn']>>;
const approvalsQuery = (id: string) => workspaces.query(LIST, { path: { run_id: id } });

/**
 * Approvals of a run: while it waits, the rules and the teams that can approve; after the apply has started, the users
 * who approved it.
 */
export function Approvals({ answer }: { readonly answer: RunAnswer }) {
  const { id, attributes } = answer.data;
  const isOpen = attributes.approvals !== null;
  const list = useQuery({
    ...approvalsQuery(id),
    enabled: isOpen || hasBegun(applyOf(answer)),
    refetchInterval: isOpen && EVERY_MS,
  });
  if (attributes.approvals === null) {
    // Most runs have none, and a list that cannot be read is no fault of this page.
    return list.data && list.data.data.length > 0 ? (
      <Section title={texts.approvals}>
        <Approvers of={list.data} />
      </Section>
    ) : null;
  }
  return (
    <Section
      title={texts.approvals}
      note={texts.approvalsOf(attributes.approvals.given, attributes.approvals.required)}
    >
      <QueryResult query={list} what={texts.approvals}>
        {(found) => (
          <>
            <ul className={styles.approvals} aria-label={texts.approvalRules}>
              {found.meta.rules.map((rule) => (
                <li key={rule.id}>
                  <State icon={rule.missing === 0 ? 'ok' : 'wait'} is={rule.missing === 0 ? 'good' : 'attention'}>
                    {texts.approvalsOf(rule.given, rule.required)}
                  </State>{' '}
                  <bdi>{rule.name}</bdi> <span className="soft">{texts.membersCanApprove(teamsOf(rule.teams))}</span>
                </li>
              ))}
            </ul>
            {found.data.length > 0 && <Approvers of={found} />}
          </>
        )}
      </QueryResult>
    </Section>
  );
}

/** Users who approved the run, with their comments. */
function Approvers({ of: { data } }: { readonly of: Answer }) {
  return (
    <ul className={styles.approvals} aria-label={texts.approvedBy}>
      {data.map((approval) => {
        const { comment, counts, 'counts-not-because': reason, 'user-name': name } = approval.attributes;
        return (
          <li key={approval.id}>
            <strong>{name}</strong>{' '}
            <span className="soft">
              <Ago time={approval.attributes['created-at']} /> {texts.ago}
            </span>
            {comment && <p className={styles.said}>{comment}</p>}
            {counts === false && <p>{texts.doesNotCount(reason ?? '')}</p>}
          </li>
        );
      })}
    </ul>
  );
}

function teamsOf(teams: readonly { readonly name: string | null; readonly exists: boolean }[]): string {
  const names = teams.filter(({ exists }) => exists).map(({ name }) => name ?? texts.aSecretTeam);
  return names.join(texts.or) || texts.noTeam;
}
