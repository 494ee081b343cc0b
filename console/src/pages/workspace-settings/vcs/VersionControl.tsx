import { useState } from 'react';
import { useChange } from '../../../api/change.ts';
import { workspaces } from '../../../api/client.ts';
import { Button } from '../../../components/button/Button.tsx';
import { announce } from '../../../components/copy/announce.ts';
import { AskDialog } from '../../../components/dialog/Dialog.tsx';
import { Check, FieldGroup } from '../../../components/form/Field.tsx';
import { Form } from '../../../components/form/Form.tsx';
import { Section } from '../../../components/section/Section.tsx';
import { RepositoryFields } from '../../../components/vcs/RepositoryFields.tsx';
import { attributesOf, type Followed, followedOf, isComplete } from '../../../components/vcs/triggers.ts';
import { type PartProps, partOf } from '../part.tsx';
import { LinkStatus } from './LinkStatus.tsx';
import { Preview } from './Preview.tsx';
import { Triggers } from './Triggers.tsx';
import * as texts from './texts.ts';
import styles from './workspace-vcs.module.css';

const SAVE = 'PATCH /workspaces/{workspace_id}';

/** Version control of a workspace: its repository, the commits that start runs, and how the server follows them. */
export const VersionControl = partOf(Shows, {
  label: texts.versionControl,
  request: (id) => workspaces.request('GET /workspaces/{workspace_id}/vcs-link', { path: { workspace_id: id } }),
  command: (id) => `lockkeeper api GET workspaces/${id}/vcs-link`,
});

function Shows({ organization, workspace }: PartProps) {
  const follows = workspace.attributes['vcs-repo'] !== null;
  return (
    <>
      <Section
        title={texts.repository}
        end={follows && workspace.attributes.permissions['can-update'] && <Stop workspace={workspace} />}
      >
        <RepositoryForm organization={organization} workspace={workspace} />
      </Section>
      {follows && <LinkStatus organization={organization} workspace={workspace} />}
    </>
  );
}

function RepositoryForm({ organization, workspace }: PartProps) {
  const { attributes } = workspace;
  const before = followedOf(attributes);
  const [value, setValue] = useState(before);
  const mayChange = attributes.permissions['can-update'];
  const off = !mayChange && texts.youHaveNoPermission;
  const isSame = JSON.stringify(attributesOf(value)) === JSON.stringify(attributesOf(before));
  const set = (change: Partial<Followed>) => setValue((known) => ({ ...known, ...change }));
  const save = useChange(
    () =>
      workspaces.send(SAVE, {
        path: { workspace_id: workspace.id },
        body: { data: { type: 'workspaces', attributes: attributesOf(value) } } as never,
      }),
    () => announce(texts.saved),
  );
  const follows = value.connection !== '';
  const incomplete = follows && incompleteReason(value);
  return (
    <Form
      action={texts.save}
      isPrimary={mayChange}
      busy={save.isPending}
      fault={save.error}
      off={off ? texts.requiresCanUpdate : incomplete || (isSame && texts.noChanges)}
      done={save.isSuccess && isSame && texts.saved}
      onSubmit={() => save.mutate()}
    >
      <RepositoryFields
        organization={organization}
        value={value}
        onValue={set}
        off={off}
        hasBranch={value.kind !== 'tags'}
      />
      {follows && (
        <>
          <FieldGroup label={texts.triggers}>
            <Triggers value={value} onValue={set} off={off} directory={attributes['working-directory'] ?? ''} />
            <Preview
              organization={organization}
              workspace={workspace}
              before={before}
              value={value}
              off={incompleteReason(value)}
            />
          </FieldGroup>
          <Options value={value} onValue={set} off={off} isLocal={attributes['execution-mode'] === 'local'} />
        </>
      )}
    </Form>
  );
}

/** Returns which value is missing. */
function incompleteReason(value: Followed): string | false {
  if (!isComplete(value)) return texts.enterARepository;
  if (value.kind === 'tags' && value.regex === '') return texts.enterAnExpression;
  return (value.kind === 'prefixes' || value.kind === 'patterns') && value.paths.trim() === '' && texts.enterAPath;
}

interface OptionsProps {
  readonly value: Followed;
  readonly onValue: (change: Partial<Followed>) => void;
  readonly off: string | false;
  readonly isLocal: boolean;
}

function Options({ value, onValue, off, isLocal }: OptionsProps) {
  return (
    <FieldGroup label={texts.runsOf}>
      {isLocal && <p className="soft">{texts.localExecution}</p>}
      <Check
        name="speculative-enabled"
        label={texts.speculativePlans}
        help={texts.plansOfPullRequests}
        off={off}
        checked={value.speculative}
        onCheck={(speculative) => onValue({ speculative })}
      />
      <Check
        name="queue-all-runs"
        label={texts.queueAllRuns}
        help={texts.offTheFirstRun}
        off={off}
        checked={value.queueAll}
        onCheck={(queueAll) => onValue({ queueAll })}
      />
      <Check
        name="vcs-repo/ingress-submodules"
        label={texts.submodules}
        help={texts.submodulesOfThe}
        off={off}
        checked={value.submodules}
        onCheck={(submodules) => onValue({ submodules })}
      />
      <p className={`${styles.note} soft`}>{texts.anyoneWhoMayPush}</p>
    </FieldGroup>
  );
}

/** Button that disconnects the workspace from its repository. */
function Stop({ workspace: { id, attributes } }: Pick<PartProps, 'workspace'>) {
  const [asks, setAsks] = useState(false);
  const stop = useChange(
    () =>
      workspaces.send(SAVE, {
        path: { workspace_id: id },
        body: { data: { type: 'workspaces', attributes: { 'vcs-repo': null } } } as never,
      }),
    () => {
      announce(texts.stopped);
      setAsks(false);
    },
  );
  return (
    <>
      <Button look="small" onClick={() => setAsks(true)}>
        {texts.stop}
      </Button>
      {asks && (
        <AskDialog
          title={texts.stopTitle(attributes.name)}
          action={texts.stopFollowing}
          busy={stop.isPending}
          fault={stop.error}
          onAction={() => stop.mutate()}
          onClose={() => setAsks(false)}
        >
          <p>{texts.pushesStartNo}</p>
        </AskDialog>
      )}
    </>
  );
}
