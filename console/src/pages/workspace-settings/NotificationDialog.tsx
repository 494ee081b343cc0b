import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Check, Field, FieldGroup, Select } from '../../components/form/Field.tsx';
import type { Notification } from './Notifications.tsx';
import { DESTINATIONS, TRIGGERS, type Trigger } from './triggers.ts';

interface NotificationDialogProps {
  readonly workspace: string;
  /** Undefined for a new one. */
  readonly notification?: Notification;
  readonly onClose: () => void;
}

const FIRST: readonly Trigger[] = ['run:needs_attention', 'run:completed', 'run:errored'];

/** Who is told, and of what. The server tries the receiver before it stores anything. */
export function NotificationDialog({ workspace, notification, onClose }: NotificationDialogProps) {
  const before = notification?.attributes;
  const [name, setName] = useState(before?.name ?? '');
  const [kind, setKind] = useState<string>(before?.['destination-type'] ?? 'generic');
  const [url, setUrl] = useState(before?.url ?? '');
  const [token, setToken] = useState<string | undefined>();
  const [enabled, setEnabled] = useState(before?.enabled ?? true);
  const [triggers, setTriggers] = useState<ReadonlySet<Trigger>>(new Set(before?.triggers ?? FIRST));
  const save = useChange(
    (): Promise<unknown> => {
      const attributes = {
        name,
        url,
        enabled,
        triggers: [...triggers],
        ...(token !== undefined && kind === 'generic' && { token: token || null }),
      };
      if (notification) {
        return workspaces.send('PATCH /notification-configurations/{notification_configuration_id}', {
          path: { notification_configuration_id: notification.id },
          body: { data: { type: 'notification-configurations', attributes } },
        });
      }
      return workspaces.send('POST /workspaces/{workspace_id}/notification-configurations', {
        path: { workspace_id: workspace },
        body: {
          data: { type: 'notification-configurations', attributes: { ...attributes, 'destination-type': kind } },
        },
      });
    },
    () => {
      announce(`Saved ${name}`);
      onClose();
    },
  );
  const toggle = (trigger: Trigger, isOn: boolean) =>
    setTriggers((known) => new Set(isOn ? [...known, trigger] : [...known].filter((one) => one !== trigger)));
  return (
    <AskDialog
      wide
      title={notification ? `Change ${before?.name}` : 'New notification'}
      action={notification ? 'Save' : 'Create notification'}
      off={(name === '' || url === '') && 'It needs a name and an address'}
      busy={save.isPending}
      fault={save.error}
      onAction={() => save.mutate()}
      onClose={onClose}
    >
      <Field name="name" label="Name" value={name} onText={setName} autoFocus autoComplete="off" />
      <Select
        name="destination-type"
        label="To"
        off={notification && 'It stays what it is: make another one'}
        value={kind}
        options={Object.entries(DESTINATIONS)}
        onText={setKind}
      />
      <Field
        name="url"
        label="Address"
        help="It is sealed: whoever knows it may write there."
        type="url"
        value={url}
        onText={setUrl}
        autoComplete="off"
        spellCheck={false}
      />
      {kind === 'generic' && (
        <Field
          name="token"
          label="Token"
          help={
            notification
              ? 'Leave it empty to keep the stored one. A new address needs it again. It is never shown.'
              : 'Signs each message, so that the receiver knows whom it is from. It is shown to nobody.'
          }
          value={token ?? ''}
          onText={setToken}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <FieldGroup label="It is told when">
        {TRIGGERS.map(([trigger, words]) => (
          <Check
            key={trigger}
            label={`${trigger}: ${words}`}
            checked={triggers.has(trigger)}
            onCheck={(isOn) => toggle(trigger, isOn)}
          />
        ))}
      </FieldGroup>
      <Check
        name="enabled"
        label="Enabled"
        help="It is tried first: nothing is stored unless the receiver answers."
        checked={enabled}
        onCheck={setEnabled}
      />
    </AskDialog>
  );
}
