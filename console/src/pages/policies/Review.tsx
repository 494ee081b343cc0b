import { useMutation, useQueryClient } from '@tanstack/react-query';
import { access } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Diff } from '../../components/editor/Diff.tsx';
import { counted } from '../../format/number.ts';
import type { Policy } from './Workbench.tsx';

interface ReviewProps {
  readonly name: string;
  /** What is there; undefined for a new one. */
  readonly stored: Policy | undefined;
  readonly text: string;
  /** Tests that do not come out as they should. */
  readonly failing: number;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** What is about to change, before it does. Who has written it meanwhile is not written over. */
export function Review({ name, stored, text, failing, onClose, onSaved }: ReviewProps) {
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      access.send('POST /sys/policies/acl/{name}', { path: { name }, body: { ...kept(stored), policy: text } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: access.key() });
      announce(`${name} is saved`);
      onSaved();
    },
  });
  return (
    <AskDialog
      wide
      title={stored ? `Save ${name}` : `Create ${name}`}
      action={stored ? 'Save' : 'Create'}
      onAction={() => save.mutate()}
      onClose={onClose}
      busy={save.isPending}
      fault={save.error}
    >
      <Diff before={stored?.policy ?? ''} after={text} label="What changes" />
      <p className="soft">It counts from the next request on, for every token that carries the policy.</p>
      {failing > 0 && (
        <p>
          <strong>{counted(failing, 'test')}</strong> of this policy {failing === 1 ? 'does' : 'do'} not come out as{' '}
          {failing === 1 ? 'it' : 'they'} should.
        </p>
      )}
    </AskDialog>
  );
}

/** A write forgets what it does not name: all that is set of it goes along, and the version that is meant. */
function kept(stored: Policy | undefined) {
  if (!stored) return { cas: -1 };
  return {
    cas: stored.version,
    cas_required: stored.cas_required,
    allow_wildcards_in_identity_templates: stored.allow_wildcards_in_identity_templates,
    allow_slashes_in_identity_templates: stored.allow_slashes_in_identity_templates,
    ...(stored.expiration !== undefined && { expiration: stored.expiration }),
  };
}
