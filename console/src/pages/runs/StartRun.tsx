import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Area, Check, Field, Select } from '../../components/form/Field.tsx';
import type { WorkspaceAnswer } from '../../shell/workspace.ts';
import styles from './runs.module.css';
import { linesOf, variablesOf } from './start-run.ts';

type Kind = 'plan-and-apply' | 'plan-only' | 'refresh-only' | 'destroy';

/** What each kind asks for. */
const KINDS: Readonly<Record<Kind, object>> = {
  'plan-and-apply': {},
  'plan-only': { 'plan-only': true },
  'refresh-only': { 'refresh-only': true },
  destroy: { 'is-destroy': true },
};
const HELP: Readonly<Record<Kind, string>> = {
  'plan-and-apply': 'Plans what changes, and waits to be confirmed.',
  'plan-only': 'Plans what would change. Nothing is applied.',
  'refresh-only': 'Looks at what is there, and takes that over into the state.',
  destroy: 'Plans to destroy everything in the state, and waits to be confirmed.',
};

/** Begins a run of the configuration that was uploaded last. */
export function StartRun({ answer, onClose }: { readonly answer: WorkspaceAnswer; readonly onClose: () => void }) {
  const { id, attributes } = answer.data;
  const { organization, workspace } = useParams({ strict: false }) as { organization: string; workspace: string };
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [kind, setKind] = useState<Kind>('plan-and-apply');
  const [message, setMessage] = useState('');
  const [targets, setTargets] = useState('');
  const [replaces, setReplaces] = useState('');
  const [variables, setVariables] = useState('');
  const [isEmptyAllowed, allowEmpty] = useState(false);
  const [typed, setTyped] = useState('');
  const read = variablesOf(variables);
  const start = useMutation({
    mutationFn: () =>
      workspaces.send('POST /runs', {
        body: {
          data: {
            type: 'runs',
            attributes: {
              ...KINDS[kind],
              ...(message !== '' && { message }),
              ...(targets !== '' && { 'target-addrs': linesOf(targets) }),
              ...(replaces !== '' && { 'replace-addrs': linesOf(replaces) }),
              ...(read.variables.length > 0 && { variables: read.variables }),
              ...(isEmptyAllowed && kind === 'plan-and-apply' && { 'allow-empty-apply': true }),
            },
            relationships: { workspace: { data: { id } } },
          },
        },
      }),
    onSuccess: ({ data }) =>
      void navigate({
        to: '/$organization/workspaces/$workspace/runs/$run',
        params: { organization, workspace, run: data.id },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: workspaces.key() }),
  });
  const isDestroy = kind === 'destroy';
  const off =
    (isDestroy && typed !== attributes.name && 'Type the name of the workspace first') || read.fault || undefined;
  return (
    <AskDialog
      title={`Start a run of ${attributes.name}`}
      action="Start the run"
      wide
      destroys={isDestroy}
      off={off}
      busy={start.isPending}
      fault={start.error}
      onAction={() => start.mutate()}
      onClose={onClose}
    >
      <Select
        label="Kind"
        help={HELP[kind]}
        value={kind}
        onText={(value) => setKind(value as Kind)}
        options={[
          ['plan-and-apply', 'Plan and apply'],
          ['plan-only', 'Plan only'],
          ['refresh-only', 'Refresh only'],
          ['destroy', 'Destroy'],
        ]}
      />
      {isDestroy && (
        <Field
          label="Name of the workspace"
          help={`Type ${attributes.name} to go on.`}
          value={typed}
          onText={setTyped}
          autoComplete="off"
        />
      )}
      <Field
        label="Message"
        name="message"
        help="Others read it in the list of runs."
        maxLength={16_384}
        value={message}
        onText={setMessage}
      />
      <details className={styles.more}>
        <summary>Targets, replacements and variables</summary>
        <Area
          label="Targets"
          name="target-addrs"
          help="Addresses of resources, one a line. What they depend on is planned too; nothing else is."
          isCode
          rows={2}
          value={targets}
          onText={setTargets}
        />
        <Area
          label="Replace"
          name="replace-addrs"
          help="Addresses of resources that are made anew, one a line."
          isCode
          rows={2}
          value={replaces}
          onText={setReplaces}
        />
        <Area
          label="Variables"
          name="variables"
          help={read.fault || 'Over those of the workspace, one a line, as HCL: size = 3, name = "a"'}
          isCode
          rows={3}
          value={variables}
          onText={setVariables}
        />
        {kind === 'plan-and-apply' && (
          <Check
            label="Allow an empty apply"
            help="Goes through with the apply though nothing changes: for a newer engine, say."
            checked={isEmptyAllowed}
            onCheck={allowEmpty}
          />
        )}
      </details>
    </AskDialog>
  );
}
