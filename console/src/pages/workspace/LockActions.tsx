import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { Banner } from '../../components/banner/Banner.tsx';
import { Button, buttonClass } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field } from '../../components/form/Field.tsx';
import { holderOf } from '../../components/lock/holder.ts';
import { Ago } from '../../components/time/Time.tsx';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import { sessionQuery } from '../../session/session.ts';
import type { WorkspaceAnswer } from '../../shell/workspace.ts';
import * as texts from './texts.ts';
import styles from './workspace.module.css';

const EVENTS = 'GET /workspaces/{workspace_id}/lock-events';

interface LockProps {
  readonly answer: WorkspaceAnswer;
  readonly organization: string;
}

/** Banner with the holder, duration and reason of the lock, and the lock actions. */
export function LockActions({ answer, organization }: LockProps) {
  const [asking, setAsking] = useState<'lock' | 'force' | undefined>();
  const { id, attributes } = answer.data;
  const may = attributes.permissions;
  const unlock = useLockChange(id, 'unlock', () => announce(texts.unlocked));
  const events = useQuery({
    ...workspaces.query(EVENTS, { path: { workspace_id: id }, query: { 'page[size]': '1' } }),
    enabled: attributes.locked,
  });
  const event = events.data?.data.find((one) => one.attributes['unlocked-at'] === null);
  const { data: session } = useSuspenseQuery(sessionQuery);
  const isOwn = session.workspaces?.kind === 'user' && holderOf(answer.data, answer) === session.workspaces.name;
  const holder = answer.data.relationships['locked-by']?.data;
  const run = holder?.type === 'runs' ? holder.id : undefined;
  const canLock = !attributes.locked && may['can-lock'];
  useShortcuts(canLock ? [{ keys: 'l', label: texts.lock, hint: true, run: () => setAsking('lock') }] : []);
  return (
    <>
      {attributes.locked ? (
        <Banner
          is="locked"
          icon="gate-shut"
          actions={
            <>
              {run && (
                <Link
                  className={buttonClass('small')}
                  to="/$organization/workspaces/$workspace/runs/$run"
                  params={{ organization, workspace: attributes.name, run }}
                >
                  {texts.openRun}
                </Link>
              )}
              {may['can-unlock'] && !run && (
                <Button look="small" onClick={() => unlock.mutate(undefined)}>
                  {unlock.isPending ? texts.unlocking : texts.unlock}
                </Button>
              )}
              {may['can-force-unlock'] && !isOwn && (
                <Button look="small" onClick={() => setAsking('force')}>
                  {texts.forceUnlock}
                </Button>
              )}
            </>
          }
        >
          {texts.lockedBy} <strong>{event?.attributes['locked-by-name'] ?? holderOf(answer.data, answer)}</strong>
          {event && (
            <>
              {texts.forText}
              <Ago time={event.attributes['locked-at']} inWords />
            </>
          )}
          {attributes['locked-reason'] && <>: “{attributes['locked-reason']}”</>}.{' '}
          <LockHint may={may} isOwn={isOwn} isRun={run !== undefined} fault={unlock.error?.message} />
        </Banner>
      ) : (
        canLock && (
          <p className={styles.free}>
            <span className="soft">{texts.unlocked2}</span>{' '}
            <Button look="small" onClick={() => setAsking('lock')}>
              {texts.lock2}
            </Button>
          </p>
        )
      )}
      {asking === 'lock' && <LockDialog id={id} name={attributes.name} onClose={() => setAsking(undefined)} />}
      {asking === 'force' && <ForceDialog id={id} name={attributes.name} onClose={() => setAsking(undefined)} />}
    </>
  );
}

type May = WorkspaceAnswer['data']['attributes']['permissions'];

interface LockHintProps {
  readonly may: May;
  readonly isOwn: boolean;
  readonly isRun: boolean;
  readonly fault: string | undefined;
}

function LockHint({ may, isOwn, isRun, fault }: LockHintProps) {
  if (fault) return <span role="alert">{fault}</span>;
  if (isRun) return <span className="soft">{texts.theRunReleasesThe}</span>;
  if (isOwn) return <span className="soft">{texts.youHoldThisLock}</span>;
  const force = may['can-force-unlock'] ? texts.youCanForceTheUnlock : texts.youHaveNoPermission;
  return <span className="soft">{may['can-unlock'] ? texts.onlyTheHolderCan(force) : texts.youHaveNoPermission2}</span>;
}

interface DialogProps {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
}

function LockDialog({ id, name, onClose }: DialogProps) {
  const [reason, setReason] = useState('');
  const lock = useLockChange(id, 'lock', () => {
    announce(texts.locked);
    onClose();
  });
  return (
    <AskDialog
      title={texts.lock3(name)}
      action={texts.lock4}
      busy={lock.isPending}
      fault={lock.error}
      onAction={() => lock.mutate({ reason })}
      onClose={onClose}
    >
      <Field
        label={texts.reason}
        help={texts.shownToOtherUsers}
        maxLength={1024}
        value={reason}
        onText={setReason}
        autoFocus
      />
    </AskDialog>
  );
}

/** Asks for the name of the workspace, then removes the lock of another holder. */
function ForceDialog({ id, name, onClose }: DialogProps) {
  const [typed, setTyped] = useState('');
  const force = useLockChange(id, 'force-unlock', () => {
    announce(texts.unlocked);
    onClose();
  });
  return (
    <AskDialog
      title={texts.forceUnlockOf(name)}
      action={texts.forceUnlock2}
      destroys
      off={typed === name ? undefined : texts.typeTheNameOf}
      busy={force.isPending}
      fault={force.error}
      onAction={() => force.mutate(undefined)}
      onClose={onClose}
    >
      <p>{texts.theHolderOfThe}</p>
      <Field
        label={texts.nameOfTheWorkspace}
        help={texts.typeToConfirm(name)}
        value={typed}
        onText={setTyped}
        autoFocus
        autoComplete="off"
      />
    </AskDialog>
  );
}

function useLockChange(id: string, action: 'lock' | 'unlock' | 'force-unlock', then: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { readonly reason: string } | undefined) =>
      workspaces.send(`POST /workspaces/{workspace_id}/actions/${action}`, {
        path: { workspace_id: id },
        ...(body && { body }),
      } as never),
    onSettled: () => queries.invalidateQueries({ queryKey: workspaces.key() }),
    onSuccess: then,
  });
}
