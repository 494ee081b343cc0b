import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field, Select } from '../../components/form/Field.tsx';
import { counted } from '../../format/number.ts';
import { actOnEach, type BulkAction, type Marked, type Progress } from './bulk.ts';
import styles from './workspaces.module.css';

interface BulkBarProps {
  readonly organization: string;
  readonly marked: readonly Marked[];
  readonly onClear: () => void;
}

const DONE: Readonly<Record<BulkAction['is'], string>> = {
  lock: 'locked',
  unlock: 'unlocked',
  tag: 'tagged',
  move: 'moved',
};

/** What can be done to all that are marked, in the place of the filters. */
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
  const off = isBusy ? 'It is being done' : undefined;
  return (
    <section className={styles.bulk} aria-label="What is marked">
      <strong>{counted(marked.length, 'workspace')} marked</strong>
      <Button look="small" off={off} onClick={() => setAsking('lock')}>
        Lock…
      </Button>
      <Button look="small" off={off} onClick={() => act({ is: 'unlock' })}>
        Unlock
      </Button>
      <Button look="small" off={off} onClick={() => setAsking('tag')}>
        Tag…
      </Button>
      <Button look="small" off={off} onClick={() => setAsking('move')}>
        Move…
      </Button>
      <Button look={['small', 'quiet']} onClick={onClear}>
        Clear marks
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

/** `4 of 6 done`, and in the end `5 locked, 1 refused`. */
function wordsOf({ is, done, of, refused }: Progress & { readonly is: BulkAction['is'] }): string {
  if (done < of) return `${done} of ${of} done`;
  const well = `${of - refused.length} ${DONE[is]}`;
  return refused.length === 0 ? well : `${well}, ${refused.length} refused`;
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
      title={`Lock ${counted(count, 'workspace')}`}
      action="Lock"
      onAction={() => onAct({ is: 'lock', reason })}
      onClose={onClose}
    >
      <Field
        label="Reason"
        help="Others read it while they wait."
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
      title={`Tag ${counted(count, 'workspace')}`}
      action="Add tags"
      off={tags.length === 0 && 'Type a tag first'}
      onAction={() => onAct({ is: 'tag', tags })}
      onClose={onClose}
    >
      <Field label="Tags" help="With spaces between them." value={typed} onText={setTyped} autoFocus />
    </AskDialog>
  );
}

/** Those that a menu can show. */
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
      title={`Move ${counted(count, 'workspace')}`}
      action="Move"
      off={chosen === '' && 'Choose a project first'}
      onAction={() => onAct({ is: 'move', project: chosen })}
      onClose={onClose}
    >
      <Select
        label="Project"
        help="Who may use them follows the project."
        value={chosen}
        options={[['', ''], ...options]}
        onText={setChosen}
      />
    </AskDialog>
  );
}
