import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';
import { announce } from '../../components/copy/announce.ts';
import { Area } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Section, Split } from '../../components/section/Section.tsx';
import { signOf, wordOf } from '../../components/state/run-status.ts';
import { State } from '../../components/state/State.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { RunFacts, RunVariables } from './RunFacts.tsx';
import styles from './run.module.css';
import { Stages } from './Stages.tsx';
import * as texts from './texts.ts';
import { isOver, type RunAnswer } from './use-run.ts';

const EVENTS = 'GET /runs/{run_id}/run-events';
const EVERY_MS = 5_000;

/** Events and comments of a run, with its details. */
export function History({ answer }: { readonly answer: RunAnswer }) {
  const { id, attributes, relationships } = answer.data;
  const events = useQuery({
    ...workspaces.query(EVENTS, { path: { run_id: id }, query: { include: 'comment' } }),
    refetchInterval: isOver(answer.data) ? false : EVERY_MS,
  });
  return (
    <Split aside={<RunFacts answer={answer} />}>
      {relationships['task-stages'].data.length > 0 && <Stages runId={id} isOver={isOver(answer.data)} />}
      <Section title={texts.history} note={texts.oldestFirst}>
        <QueryResult query={events} what={texts.theHistory}>
          {(read) => (
            <ol className={styles.events} aria-label={texts.events}>
              {read.data.map((event) => {
                const { comment, 'actor-team': team } = event.relationships;
                const said = related(read, comment.data, 'comments')?.attributes.body;
                const { action, description, 'actor-name': who } = event.attributes;
                return (
                  <li key={event.id}>
                    <span className={styles.action}>
                      {action === 'commented' || action === 'created' ? (
                        <State icon={action === 'created' ? 'plus' : 'policy'} is="idle">
                          {action}
                        </State>
                      ) : (
                        <Passed status={action} />
                      )}
                    </span>
                    <div>
                      {who && <strong>{who}</strong>}
                      {who && team.data && <span className="soft">{texts.aTeam}</span>}
                      {description && <p>{description}</p>}
                      {said && <p className={styles.said}>{said}</p>}
                    </div>
                    <span className="soft">
                      <Ago time={event.attributes['created-at']} /> {texts.ago}
                    </span>
                  </li>
                );
              })}
            </ol>
          )}
        </QueryResult>
        {attributes.permissions['can-comment'] && <CommentForm id={id} />}
      </Section>
      {attributes.variables !== null && attributes.variables.length > 0 && <RunVariables of={attributes.variables} />}
    </Split>
  );
}

/** A past status of the run, without the sign of an active one. */
function Passed({ status }: { readonly status: string }) {
  const { icon, is } = signOf(status);
  return (
    <State icon={icon} is={is === 'good' || is === 'bad' ? is : 'idle'}>
      {wordOf(status)}
    </State>
  );
}

function CommentForm({ id }: { readonly id: string }) {
  const [body, setBody] = useState('');
  const queries = useQueryClient();
  const say = useMutation({
    mutationFn: () =>
      workspaces.send('POST /runs/{run_id}/comments', {
        path: { run_id: id },
        body: { data: { type: 'comments', attributes: { body } } },
      }),
    onSuccess: () => {
      setBody('');
      announce(texts.commentAdded);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: workspaces.key() }),
  });
  return (
    <Form
      action={texts.addComment}
      isPrimary={false}
      onSubmit={() => say.mutate()}
      busy={say.isPending}
      fault={say.error}
      off={body.trim() === '' && texts.enterAComment}
    >
      <Area label={texts.comment} name="body" rows={2} maxLength={10_000} value={body} onText={setBody} />
    </Form>
  );
}
