import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field } from '../../components/form/Field.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Section } from '../../components/section/Section.tsx';
import { State } from '../../components/state/State.tsx';
import styles from './run.module.css';
import * as texts from './texts.ts';

const STAGES = 'GET /runs/{run_id}/task-stages';
const EVERY_MS = 5_000;

type Result = Resources['task-results'];
type Stage = Resources['task-stages'];

const NAMES: Readonly<Record<Stage['attributes']['stage'], string>> = {
  pre_plan: texts.beforeThePlan,
  post_plan: texts.afterThePlan,
  pre_apply: texts.beforeTheApply,
  post_apply: texts.afterTheApply,
};

/** Results of run tasks and policies at each stage. */
export function Stages({ runId, isOver }: { readonly runId: string; readonly isOver: boolean }) {
  const stages = useQuery({
    ...workspaces.query(STAGES, { path: { run_id: runId }, query: { include: 'task_results' } }),
    refetchInterval: isOver ? false : EVERY_MS,
  });
  return (
    <Section title={texts.runTasks}>
      <QueryResult query={stages} what={texts.theStages}>
        {({ data, included = [] }) => (
          <ul className={styles.stages}>
            {data.map((stage) => (
              <li key={stage.id}>
                <StageHead stage={stage} />
                <ul>
                  {stage.relationships['task-results'].data.map(({ id }) => {
                    const result = included.find((one) => one.id === id) as unknown as Result | undefined;
                    return result && <ResultRow key={id} result={result} />;
                  })}
                </ul>
              </li>
            ))}
          </ul>
        )}
      </QueryResult>
    </Section>
  );
}

function StageHead({ stage }: { readonly stage: Stage }) {
  const [asks, setAsks] = useState(false);
  const { stage: kind, status, actions, permissions } = stage.attributes;
  return (
    <div className={styles.stage}>
      <h3>{NAMES[kind]}</h3>
      <Verdict status={status} />
      {actions['is-overridable'] && permissions['can-override'] && (
        <Button look="small" onClick={() => setAsks(true)}>
          {texts.override}
        </Button>
      )}
      {asks && <OverrideDialog id={stage.id} onClose={() => setAsks(false)} />}
    </div>
  );
}

function ResultRow({ result: { attributes } }: { readonly result: Result }) {
  const { url } = attributes;
  return (
    <li className={styles.result}>
      <Verdict status={attributes.status} />
      <strong>{attributes['task-name']}</strong>
      <span className="soft">
        {attributes['workspace-task-enforcement-level']} {attributes.message}{' '}
        {/^https?:\/\//.test(url) && (
          <a className="link" href={url} target="_blank" rel="noreferrer">
            {texts.details}
          </a>
        )}
      </span>
    </li>
  );
}

const SIGNS = {
  passed: { icon: 'gate-open', is: 'good' },
  pending: { icon: 'queued', is: 'idle' },
  running: { icon: 'run', is: 'run', turns: true },
  awaiting_override: { icon: 'gate-shut', is: 'attention' },
} as const;
const REFUSED = { icon: 'gate-shut', is: 'bad' } as const;

function Verdict({ status }: { readonly status: string }) {
  return <State {...(SIGNS[status as keyof typeof SIGNS] ?? REFUSED)}>{status.replaceAll('_', ' ')}</State>;
}

function OverrideDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const [comment, setComment] = useState('');
  const queries = useQueryClient();
  const override = useMutation({
    mutationFn: () =>
      workspaces.send('POST /task-stages/{task_stage_id}/actions/override', {
        path: { task_stage_id: id },
        body: comment === '' ? null : { comment },
      }),
    onSuccess: () => {
      announce(texts.overridden);
      onClose();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: workspaces.key() }),
  });
  return (
    <AskDialog
      title={texts.overrideTheResult}
      action={texts.override2}
      destroys
      busy={override.isPending}
      fault={override.error}
      onAction={() => override.mutate()}
      onClose={onClose}
    >
      <p>{texts.theRunContinuesAs}</p>
      <Field label={texts.comment} value={comment} onText={setComment} maxLength={10_000} autoFocus />
    </AskDialog>
  );
}
