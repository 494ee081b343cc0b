import { useMutation, useQueryClient } from '@tanstack/react-query';
import { access } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Diff } from '../../components/editor/Diff.tsx';
import * as texts from './texts.ts';
import type { Policy } from './Workbench.tsx';

interface ReviewProps {
  readonly name: string;
  /** The stored policy; undefined for a new one. */
  readonly stored: Policy | undefined;
  readonly text: string;
  /** Number of failing tests. */
  readonly failing: number;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Shows the difference before a policy is saved. Check-and-set prevents overwriting a change of another user. */
export function Review({ name, stored, text, failing, onClose, onSaved }: ReviewProps) {
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      access.send('POST /sys/policies/acl/{name}', { path: { name }, body: { ...kept(stored), policy: text } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: access.key() });
      announce(texts.saved(name));
      onSaved();
    },
  });
  return (
    <AskDialog
      wide
      title={stored ? texts.save(name) : texts.create(name)}
      action={stored ? texts.save2 : texts.create2}
      onAction={() => save.mutate()}
      onClose={onClose}
      busy={save.isPending}
      fault={save.error}
    >
      <Diff before={stored?.policy ?? ''} after={text} label={texts.changes} />
      <p className="soft">{texts.theChangeAppliesTo}</p>
      {failing > 0 && (
        <p>
          <strong>{texts.testsFail(failing)}</strong>
        </p>
      )}
    </AskDialog>
  );
}

/** A write resets fields that it does not name, so the request repeats all of them, with the expected version. */
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
