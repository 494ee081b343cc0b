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
import * as texts from './texts.ts';
import { isOver, planOf, type RunAnswer } from './use-run.ts';

type Action = 'apply' | 'approve' | 'discard' | 'cancel' | 'force-cancel';
const DONE: Readonly<Record<Action, string>> = {
  apply: texts.confirmed,
  approve: texts.approved,
  discard: texts.discarded,
  cancel: texts.cancellationRequested,
  'force-cancel': texts.forceCanceled,
};

/** Actions on a run that waits for a user or can be stopped; hidden when the run is over. */
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
  const approves = may['can-approve'];
  // A confirmed run needs approvals only: there is nothing left to confirm.
  const waits = attributes.approvals?.confirmed === true && attributes.approvals.missing !== null;
  const confirms = can['is-confirmable'] && may['can-apply'] && !waits;
  const discards = can['is-discardable'] && may['can-discard'];
  const cancels = can['is-cancelable'] && may['can-cancel'];
  const forceFrom = attributes['force-cancel-available-at'];
  const forces = may['can-force-cancel'] && (can['is-force-cancelable'] || forceFrom !== null);
  useShortcuts([
    ...(confirms ? [{ keys: 'c', label: texts.confirm, hint: true, run: () => act.mutate('apply') }] : []),
    ...(approves ? [{ keys: 'a', label: texts.approve, hint: true, run: () => act.mutate('approve') }] : []),
    ...(discards ? [{ keys: 'd', label: texts.discard, hint: true, run: () => act.mutate('discard') }] : []),
  ]);
  if (isOver(answer.data)) return null;
  const busy = act.isPending ? act.variables : undefined;
  return (
    <section className={styles.decide} aria-label={texts.decision}>
      <p>{act.error ? <span role="alert">{act.error.message}</span> : <Sentence answer={answer} />}</p>
      {(confirms || approves || discards) && (
        <span className={styles.note}>
          <label className="sr" htmlFor="decision-comment">
            {texts.comment}
          </label>
          <input
            id="decision-comment"
            placeholder={texts.optionalComment}
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
          {texts.forceCancel}
        </Button>
      )}
      {cancels && (
        <Button look="danger" onClick={() => setAsking('cancel')}>
          {texts.cancelRun}
        </Button>
      )}
      {discards && (
        <Button onClick={() => act.mutate('discard')}>{busy === 'discard' ? texts.discarding : texts.discard2}</Button>
      )}
      {approves && (
        <Button {...(!confirms && { look: 'primary' })} onClick={() => act.mutate('approve')}>
          {busy === 'approve' ? texts.approving : texts.approve2}
        </Button>
      )}
      {confirms && (
        <Button look="primary" onClick={() => act.mutate('apply')}>
          {busy === 'apply' ? texts.confirming : texts.confirmAndApply}
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
  !isNow && from !== null && texts.availableFromUntilThen(clock(from));

/** Says which decision is needed, or why none is possible. */
function Sentence({ answer }: { readonly answer: RunAnswer }) {
  const { attributes } = answer.data;
  const { actions: can, permissions: may } = attributes;
  const forceFrom = attributes['force-cancel-available-at'];
  const { approvals } = attributes;
  if (can['is-confirmable'] || approvals?.missing) {
    return (
      <>
        <Consequence answer={answer} />
        {approvals && <ApprovalSentence of={approvals} />}
        {!may['can-apply'] && <span className="soft"> {texts.aUserWithPermission}</span>}
      </>
    );
  }
  if (attributes['canceled-at'] !== null) {
    const isLate = may['can-force-cancel'] && !can['is-force-cancelable'] && forceFrom !== null;
    return (
      <>
        {texts.theRunIsBeingCanceled}
        {isLate && <span className="soft"> {texts.forceCancelIsAvailableFrom(clock(forceFrom))}</span>}
      </>
    );
  }
  if (attributes.status === 'applying') return <>{texts.changesThatAreAlready}</>;
  if (attributes['waiting-for']) return <>{texts.waiting(attributes['waiting-for'])}</>;
  if (attributes['position-in-queue'] > 0 && attributes.status === 'pending') {
    return <>{texts.waitingInTheQueue(attributes['position-in-queue'])}</>;
  }
  if (attributes['plan-only']) return <>{texts.thisRunEndsAfter}</>;
  if (attributes['auto-apply']) return <>{texts.thePlanIsAppliedAutomatically}</>;
  return <>{texts.youCanConfirmThe}</>;
}

type ApprovalsOfRun = NonNullable<RunAnswer['data']['attributes']['approvals']>;

/** Says how many approvals the run has, and why the reader cannot add one. */
function ApprovalSentence({ of }: { readonly of: ApprovalsOfRun }) {
  const { confirmed, given, missing, required, 'cannot-approve-because': refusal } = of;
  if (missing === null) return null;
  return (
    <>
      {' '}
      {confirmed ? texts.waitsForApprovals(given, required) : texts.needsApprovals(given, required)}
      {refusal !== null && <span className="soft"> {texts.youCannotApprove(refusal)}</span>}
    </>
  );
}

/** Numbers of resources that an apply changes. */
function Consequence({ answer }: { readonly answer: RunAnswer }) {
  const plan = planOf(answer)?.attributes;
  if (!plan) return <>{texts.thePlanIsWaiting}</>;
  const [added, changed, destroyed] = [
    plan['resource-additions'],
    plan['resource-changes'],
    plan['resource-destructions'],
  ];
  if (added + changed + destroyed === 0) return <>{texts.applyingChangesNoResources}</>;
  const told = [...(added > 0 ? [texts.adds(added)] : []), ...(changed > 0 ? [texts.changes(changed)] : [])].join(
    ' and ',
  );
  return (
    <>
      {texts.applying(told)}
      {told && destroyed > 0 && texts.and}
      {destroyed > 0 && (
        <strong className={styles.destroys}>{texts.destroys(counted(destroyed, texts.resource))}</strong>
      )}
      {destroyed === 0 && ` ${added + changed === 1 ? texts.resource : texts.resources}`}.
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
      title={isForce ? texts.forceCancelTheRun : texts.cancelTheRun}
      action={isForce ? texts.forceCancel2 : texts.cancelRun2}
      destroys
      off={isForce && typed !== workspace ? texts.typeTheNameOf : undefined}
      {...dialog}
    >
      <p>
        {isForce ? texts.theRunEndsImmediately : isApplying ? texts.theEngineStopsAfter : texts.theEngineStopsAfter2}
      </p>
      {isForce && (
        <Field
          label={texts.nameOfTheWorkspace}
          help={texts.typeToConfirm(workspace)}
          value={typed}
          onText={setTyped}
          autoFocus
          autoComplete="off"
        />
      )}
      <Field label={texts.comment} value={comment} onText={onComment} maxLength={10_000} />
    </AskDialog>
  );
}
