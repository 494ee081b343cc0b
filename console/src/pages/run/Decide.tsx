import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field } from '../../components/form/Field.tsx';
import { counted } from '../../format/number.ts';
import { clock } from '../../format/time.ts';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import styles from './run.module.css';
import { isOver, planOf, type RunAnswer } from './use-run.ts';

type Action = 'apply' | 'discard' | 'cancel' | 'force-cancel';
const DONE: Readonly<Record<Action, string>> = {
  apply: 'Confirmed',
  discard: 'Discarded',
  cancel: 'Asked to cancel',
  'force-cancel': 'Canceled by force',
};

/** What waits for a person, or can be stopped by one: at the foot of the page, as long as there is anything. */
export function Decide({ answer, workspace }: { readonly answer: RunAnswer; readonly workspace: string }) {
  const { id, attributes } = answer.data;
  const { actions: can, permissions: may } = attributes;
  const [comment, setComment] = useState('');
  const [asking, setAsking] = useState<'cancel' | 'force-cancel' | undefined>();
  const queries = useQueryClient();
  const act = useMutation({
    mutationFn: (action: Action) =>
      workspaces.send(`POST /runs/{run_id}/actions/${action}`, {
        path: { run_id: id },
        body: comment === '' ? null : { comment },
      }),
    onSuccess: (_, action) => {
      announce(DONE[action]);
      setComment('');
      setAsking(undefined);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: workspaces.key() }),
  });
  const confirms = can['is-confirmable'] && may['can-apply'];
  const discards = can['is-discardable'] && may['can-discard'];
  const cancels = can['is-cancelable'] && may['can-cancel'];
  const forceFrom = attributes['force-cancel-available-at'];
  const forces = may['can-force-cancel'] && (can['is-force-cancelable'] || forceFrom !== null);
  useShortcuts([
    ...(confirms ? [{ keys: 'c', label: 'confirm', hint: true, run: () => act.mutate('apply') }] : []),
    ...(discards ? [{ keys: 'd', label: 'discard', hint: true, run: () => act.mutate('discard') }] : []),
  ]);
  if (isOver(answer.data)) return null;
  const busy = act.isPending ? act.variables : undefined;
  return (
    <section className={styles.decide} aria-label="Decision">
      <p>{act.error ? <span role="alert">{act.error.message}</span> : <Sentence answer={answer} />}</p>
      {(confirms || discards) && (
        <span className={styles.note}>
          <label className="sr" htmlFor="decision-comment">
            Comment
          </label>
          <input
            id="decision-comment"
            placeholder="Comment, if you like"
            maxLength={10_000}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
          />
        </span>
      )}
      {forces && (
        <Button
          look="danger"
          off={forceOff(can['is-force-cancelable'], forceFrom)}
          onClick={() => setAsking('force-cancel')}
        >
          Force cancel…
        </Button>
      )}
      {cancels && (
        <Button look="danger" onClick={() => setAsking('cancel')}>
          Cancel the run…
        </Button>
      )}
      {discards && (
        <Button onClick={() => act.mutate('discard')}>{busy === 'discard' ? 'Discarding…' : 'Discard'}</Button>
      )}
      {confirms && (
        <Button look="primary" onClick={() => act.mutate('apply')}>
          {busy === 'apply' ? 'Confirming…' : 'Confirm and apply'}
        </Button>
      )}
      {asking && (
        <CancelDialog
          action={asking}
          workspace={workspace}
          isApplying={attributes.status === 'applying'}
          busy={act.isPending}
          fault={act.error}
          comment={comment}
          onComment={setComment}
          onAction={() => act.mutate(asking)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </section>
  );
}

const forceOff = (isNow: boolean, from: string | null): string | false =>
  !isNow && from !== null && `From ${clock(from)}: the engine has until then to stop by itself`;

/** What is to be decided, or why it cannot be. */
function Sentence({ answer }: { readonly answer: RunAnswer }) {
  const { attributes } = answer.data;
  const { actions: can, permissions: may } = attributes;
  const forceFrom = attributes['force-cancel-available-at'];
  if (can['is-confirmable']) {
    return (
      <>
        <Consequence answer={answer} />
        {!may['can-apply'] && <span className="soft"> It waits for somebody who may confirm it; you may not.</span>}
      </>
    );
  }
  if (attributes['canceled-at'] !== null) {
    const isLate = may['can-force-cancel'] && !can['is-force-cancelable'] && forceFrom !== null;
    return <>It is being canceled.{isLate && <span className="soft"> By force from {clock(forceFrom)}.</span>}</>;
  }
  if (attributes.status === 'applying') return <>If it is canceled, what is done stays done.</>;
  if (attributes['waiting-for']) return <>It waits: {attributes['waiting-for']}.</>;
  if (attributes['position-in-queue'] > 0 && attributes.status === 'pending') {
    return <>It waits for its turn: place {attributes['position-in-queue']} in the queue.</>;
  }
  if (attributes['plan-only']) return <>It ends with its plan: there is nothing to confirm.</>;
  if (attributes['auto-apply']) return <>It is applied without being asked.</>;
  return <>It can be confirmed once the plan is made.</>;
}

/** What is applied, in numbers. */
function Consequence({ answer }: { readonly answer: RunAnswer }) {
  const plan = planOf(answer)?.attributes;
  if (!plan) return <>The plan waits to be confirmed.</>;
  const [added, changed, destroyed] = [
    plan['resource-additions'],
    plan['resource-changes'],
    plan['resource-destructions'],
  ];
  if (added + changed + destroyed === 0) return <>Applying changes no resource.</>;
  const told = [...(added > 0 ? [`adds ${added}`] : []), ...(changed > 0 ? [`changes ${changed}`] : [])].join(' and ');
  return (
    <>
      Applying {told}
      {told && destroyed > 0 && ', and '}
      {destroyed > 0 && <strong className={styles.destroys}>destroys {counted(destroyed, 'resource')}</strong>}
      {destroyed === 0 && ` ${added + changed === 1 ? 'resource' : 'resources'}`}.
    </>
  );
}

interface CancelDialogProps {
  readonly action: 'cancel' | 'force-cancel';
  readonly workspace: string;
  readonly isApplying: boolean;
  readonly busy: boolean;
  readonly fault: Error | null;
  readonly comment: string;
  readonly onComment: (text: string) => void;
  readonly onAction: () => void;
  readonly onClose: () => void;
}

function CancelDialog({ action, workspace, isApplying, comment, onComment, ...dialog }: CancelDialogProps) {
  const [typed, setTyped] = useState('');
  const isForce = action === 'force-cancel';
  return (
    <AskDialog
      title={isForce ? 'Cancel the run by force' : 'Cancel the run'}
      action={isForce ? 'Force cancel' : 'Cancel the run'}
      destroys
      off={isForce && typed !== workspace ? 'Type the name of the workspace first' : undefined}
      {...dialog}
    >
      <p>
        {isForce
          ? 'The run ends at once, whatever the engine does. What it has changed may be missing in the state.'
          : isApplying
            ? 'The engine stops after what it is doing now; what is done stays done.'
            : 'The engine stops after what it is doing now. Nothing is changed.'}
      </p>
      {isForce && (
        <Field
          label="Name of the workspace"
          help={`Type ${workspace} to go on.`}
          value={typed}
          onText={setTyped}
          autoFocus
          autoComplete="off"
        />
      )}
      <Field label="Comment" value={comment} onText={onComment} maxLength={10_000} />
    </AskDialog>
  );
}
