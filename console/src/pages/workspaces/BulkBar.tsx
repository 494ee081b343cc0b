import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field, Select } from '../../components/form/Field.tsx';
import { counted } from '../../format/number.ts';
import { actOnEach, type BulkAction, type Marked, type Progress } from './bulk.ts';
import * as texts from './texts.ts';
import styles from './workspaces.module.css';

interface BulkBarProps {
  readonly organization: string;
  readonly marked: readonly Marked[];
  readonly onClear: () => void;
}

const DONE: Readonly<Record<BulkAction['is'], string>> = {
  lock: texts.locked,
  unlock: texts.unlocked,
  tag: texts.tagged,
  move: texts.moved,
};

/** Actions on all selected workspaces. Replaces the filters while workspaces are selected. */
export function BulkBar({ organization, marked, onClear }: BulkBarProps) {
  const queries = useQueryClient();
  const [asking, setAsking] = useState<BulkAction['is'] | undefined>();
  const [progress, setProgress] = useState<(Progress & { readonly is: BulkAction['is'] }) | undefined>();
  const isBusy = progress !== undefined && progress.done < progress.of;
  const act = (action: BulkAction) => {
    setAsking(undefined);
    setProgress({ is: action.is, done: 0, of: marked.length, refused: [] });
    void actOnEach(action, marked, (next) => setProgress({ is: action.is, ...next })).then(() =>
      queries.invalidateQueries({ queryKey: workspaces.key() }),
    );
  };
  const off = isBusy ? texts.inProgress : undefined;
  return (
    <section className={styles.bulk} aria-label={texts.selectedWorkspaces}>
      <strong>{texts.selected(counted(marked.length, texts.workspace))}</strong>
      <Button look="small" off={off} onClick={() => setAsking('lock')}>
        {texts.lock}
      </Button>
      <Button look="small" off={off} onClick={() => act({ is: 'unlock' })}>
        {texts.unlock}
      </Button>
      <Button look="small" off={off} onClick={() => setAsking('tag')}>
        {texts.tag}
      </Button>
      <Button look="small" off={off} onClick={() => setAsking('move')}>
        {texts.move}
      </Button>
      <Button look={['small', 'quiet']} onClick={onClear}>
        {texts.clearSelection}
      </Button>
      {progress && (
        <p className="soft" role="status">
          {wordsOf(progress)}
        </p>
      )}
      {progress && progress.refused.length > 0 && (
        <ul className={styles.refused}>
          {progress.refused.map(({ name, why }) => (
            <li key={name}>
              <strong>{name}</strong> {why}
            </li>
          ))}
        </ul>
      )}
      {asking === 'lock' && <LockAll count={marked.length} onAct={act} onClose={() => setAsking(undefined)} />}
      {asking === 'tag' && <TagAll count={marked.length} onAct={act} onClose={() => setAsking(undefined)} />}
      {asking === 'move' && (
        <MoveAll organization={organization} count={marked.length} onAct={act} onClose={() => setAsking(undefined)} />
      )}
    </section>
  );
}

/** Returns the progress, such as `4 of 6 done`, and at the end the result, such as `5 locked, 1 failed`. */
function wordsOf({ is, done, of, refused }: Progress & { readonly is: BulkAction['is'] }): string {
  if (done < of) return texts.ofDone(done, of);
  const well = `${of - refused.length} ${DONE[is]}`;
  return refused.length === 0 ? well : texts.failed(well, refused.length);
}

interface DialogProps {
  readonly count: number;
  readonly onAct: (action: BulkAction) => void;
  readonly onClose: () => void;
}

function LockAll({ count, onAct, onClose }: DialogProps) {
  const [reason, setReason] = useState('');
  return (
    <AskDialog
      title={texts.lock2(counted(count, 'workspace'))}
      action={texts.lock3}
      onAction={() => onAct({ is: 'lock', reason })}
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

function TagAll({ count, onAct, onClose }: DialogProps) {
  const [typed, setTyped] = useState('');
  const tags = typed.split(/[\s,]+/).filter(Boolean);
  return (
    <AskDialog
      title={texts.tag2(counted(count, 'workspace'))}
      action={texts.addTags}
      off={tags.length === 0 && texts.enterATag}
      onAction={() => onAct({ is: 'tag', tags })}
      onClose={onClose}
    >
      <Field label={texts.tags} help={texts.separatedBySpaces} value={typed} onText={setTyped} autoFocus />
    </AskDialog>
  );
}

/** Maximum number of projects that the menu shows. */
const MOST = '100';

function MoveAll({ organization, count, onAct, onClose }: DialogProps & { readonly organization: string }) {
  const projects = useQuery(
    workspaces.query('GET /organizations/{organization_name}/projects', {
      path: { organization_name: organization },
      query: { 'page[size]': MOST },
    }),
  );
  const [chosen, setChosen] = useState('');
  const options = (projects.data?.data ?? []).map(({ id, attributes: { name } }) => [id, name] as const);
  return (
    <AskDialog
      title={texts.move2(counted(count, 'workspace'))}
      action={texts.move3}
      off={chosen === '' && texts.selectAProject}
      onAction={() => onAct({ is: 'move', project: chosen })}
      onClose={onClose}
    >
      <Select
        label={texts.project}
        help={texts.theAccessOfTeams}
        value={chosen}
        options={[['', ''], ...options]}
        onText={setChosen}
      />
    </AskDialog>
  );
}
