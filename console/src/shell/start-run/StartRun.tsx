import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Area, Check, Field, Select } from '../../components/form/Field.tsx';
import type { WorkspaceAnswer } from '../workspace.ts';
import { type From, StartFrom } from './StartFrom.tsx';
import { fetchCommit } from './start-from-commit.ts';
import styles from './start-run.module.css';
import { linesOf, variablesOf } from './start-run.ts';
import * as texts from './texts.ts';

type Kind = 'plan-and-apply' | 'plan-only' | 'refresh-only' | 'destroy';

/** Attributes of each kind of run. */
const KINDS: Readonly<Record<Kind, object>> = {
  'plan-and-apply': {},
  'plan-only': { 'plan-only': true },
  'refresh-only': { 'refresh-only': true },
  destroy: { 'is-destroy': true },
};
const HELP: Readonly<Record<Kind, string>> = {
  'plan-and-apply': texts.plansTheChangesAnd,
  'plan-only': texts.plansTheChangesWithout,
  'refresh-only': texts.readsTheRealInfrastructure,
  destroy: texts.plansToDestroyAll,
};

/** Starts a run of the latest configuration, or of a commit that the server fetches first. */
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
  const follows = attributes['vcs-repo'] !== null;
  const [from, setFrom] = useState<From>(follows ? 'newest' : 'latest');
  const [gitRef, setGitRef] = useState('');
  const closed = useRef(new AbortController());
  useEffect(() => {
    closed.current = new AbortController();
    return () => closed.current.abort();
  }, []);
  const read = variablesOf(variables);
  const fetched = async () => {
    const ref = from === 'newest' ? 'HEAD' : gitRef.trim();
    const { signal } = closed.current;
    const version = await fetchCommit({ workspaceId: id, ref, speculative: kind === 'plan-only', signal });
    return { 'configuration-version': { data: { id: version } } };
  };
  const start = useMutation({
    mutationFn: async () => {
      const configuration = from === 'latest' ? {} : await fetched();
      return workspaces.send('POST /runs', {
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
            relationships: { workspace: { data: { id } }, ...configuration },
          },
        },
      });
    },
    onSuccess: ({ data }) =>
      void navigate({
        to: '/$organization/workspaces/$workspace/runs/$run',
        params: { organization, workspace, run: data.id },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: workspaces.key() }),
  });
  const isDestroy = kind === 'destroy';
  const lacksRef = from === 'ref' && gitRef.trim() === '' && texts.enterABranch;
  const off = (isDestroy && typed !== attributes.name && texts.typeTheNameOf) || lacksRef || read.fault || undefined;
  return (
    <AskDialog
      title={texts.startARunOf(attributes.name)}
      action={texts.startRun}
      wide
      destroys={isDestroy}
      off={off}
      busy={start.isPending}
      fault={start.error}
      onAction={() => start.mutate()}
      onClose={onClose}
    >
      <Select
        label={texts.type}
        help={HELP[kind]}
        value={kind}
        onText={(value) => setKind(value as Kind)}
        options={[
          ['plan-and-apply', texts.planAndApply],
          ['plan-only', texts.planOnly],
          ['refresh-only', texts.refreshOnly],
          ['destroy', texts.destroy],
        ]}
      />
      {follows && <StartFrom workspace={answer.data} from={from} gitRef={gitRef} onFrom={setFrom} onRef={setGitRef} />}
      {isDestroy && (
        <Field
          label={texts.nameOfTheWorkspace}
          help={texts.typeToConfirm(attributes.name)}
          value={typed}
          onText={setTyped}
          autoComplete="off"
        />
      )}
      <Field
        label={texts.message}
        name="message"
        help={texts.shownInTheList}
        maxLength={16_384}
        value={message}
        onText={setMessage}
      />
      <details className={styles.more}>
        <summary>{texts.targetsReplacementsAndVariables}</summary>
        <Area
          label={texts.targets}
          name="target-addrs"
          help={texts.resourceAddressesOneOn}
          isCode
          rows={2}
          value={targets}
          onText={setTargets}
        />
        <Area
          label={texts.replace}
          name="replace-addrs"
          help={texts.addressesOfResourcesTo}
          isCode
          rows={2}
          value={replaces}
          onText={setReplaces}
        />
        <Area
          label={texts.variables}
          name="variables"
          help={read.fault || texts.overrideVariablesOfThe}
          isCode
          rows={3}
          value={variables}
          onText={setVariables}
        />
        {kind === 'plan-and-apply' && (
          <Check
            label={texts.allowAnEmptyApply}
            help={texts.appliesEvenIfNothing}
            checked={isEmptyAllowed}
            onCheck={allowEmpty}
          />
        )}
      </details>
    </AskDialog>
  );
}
