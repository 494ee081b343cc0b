import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Check, Field, FieldGroup, Select } from '../../components/form/Field.tsx';
import type { Notification } from './Notifications.tsx';
import * as texts from './texts.ts';
import { DESTINATIONS, TRIGGERS, type Trigger } from './triggers.ts';

interface NotificationDialogProps {
  readonly workspace: string;
  /** Undefined for a new notification. */
  readonly notification?: Notification;
  readonly onClose: () => void;
}

const FIRST: readonly Trigger[] = ['run:needs_attention', 'run:completed', 'run:errored'];

/** Form for a notification. The server sends a test message before it stores an enabled one. */
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
      announce(texts.saved(name));
      onClose();
    },
  );
  const toggle = (trigger: Trigger, isOn: boolean) =>
    setTriggers((known) => new Set(isOn ? [...known, trigger] : [...known].filter((one) => one !== trigger)));
  return (
    <AskDialog
      wide
      title={notification ? texts.change(before?.name) : texts.newNotification}
      action={notification ? texts.save : texts.createNotification}
      off={(name === '' || url === '') && texts.enterANameAnd}
      busy={save.isPending}
      fault={save.error}
      onAction={() => save.mutate()}
      onClose={onClose}
    >
      <Field name="name" label={texts.name} value={name} onText={setName} autoFocus autoComplete="off" />
      <Select
        name="destination-type"
        label={texts.destination}
        off={notification && texts.theDestinationCannotBe}
        value={kind}
        options={Object.entries(DESTINATIONS)}
        onText={setKind}
      />
      <Field
        name="url"
        label={texts.url}
        help={texts.storedEncryptedAnyoneWho}
        type="url"
        value={url}
        onText={setUrl}
        autoComplete="off"
        spellCheck={false}
      />
      {kind === 'generic' && (
        <Field
          name="token"
          label={texts.token}
          help={notification ? texts.leaveItEmptyTo : texts.signsEachMessageSo}
          value={token ?? ''}
          onText={setToken}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <FieldGroup label={texts.triggers}>
        {TRIGGERS.map(([trigger, words]) => (
          <Check
            key={trigger}
            label={`${trigger}: ${words}`}
            checked={triggers.has(trigger)}
            onCheck={(isOn) => toggle(trigger, isOn)}
          />
        ))}
      </FieldGroup>
      <Check name="enabled" label={texts.enabled} help={texts.theServerSendsA} checked={enabled} onCheck={setEnabled} />
    </AskDialog>
  );
}
