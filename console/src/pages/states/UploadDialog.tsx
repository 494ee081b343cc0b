import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { Dialog } from '../../components/dialog/Dialog.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Check } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { FileField } from '../../components/transfer/FileField.tsx';
import { Transfer } from '../../components/transfer/Transfer.tsx';
import { useUpload } from '../../components/transfer/transfer.ts';
import { bytes } from '../../format/number.ts';
import { type Described, LARGEST_FILE } from './reading/questions.ts';
import { useReadThread } from './reading/use-reading.ts';
import styles from './states.module.css';
import type { Version } from './version.ts';

interface UploadDialogProps {
  readonly workspaceId: string;
  readonly name: string;
  /** The state that there is. */
  readonly newest: Version | undefined;
  readonly onClose: () => void;
}

/** Sends a state of a file: announced by what it says of itself, then its bytes. */
export function UploadDialog({ workspaceId, name, newest, onClose }: UploadDialogProps) {
  const queries = useQueryClient();
  const thread = useReadThread();
  const transfer = useUpload();
  const [file, setFile] = useState<File | undefined>();
  const [force, setForce] = useState(false);
  const [wasCancelled, setCancelled] = useState(false);
  const described = useMutation({
    mutationFn: async (chosen: File) => (await thread().ask({ file: chosen })).described,
  });
  const send = useMutation({
    mutationFn: async ({ bytes: content, said }: { bytes: File; said: Described }) => {
      setCancelled(false);
      const { data } = await workspaces.send('POST /workspaces/{workspace_id}/state-versions', {
        path: { workspace_id: workspaceId },
        body: {
          data: {
            type: 'state-versions',
            attributes: { serial: said.serial ?? 0, md5: said.md5, lineage: said.lineage ?? null, force },
          },
        },
      });
      const address = data.attributes['hosted-state-upload-url'];
      if (address === null) throw new ApiError(0, 'the server gave no address for the state', '');
      return transfer.send(address, content);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: workspaces.key() }),
    onSuccess: (isSent, { said }) => {
      setCancelled(!isSent);
      announce(isSent ? `The state ${said.serial} is stored` : 'Cancelled: nothing was written');
      if (isSent) onClose();
    },
  });
  const choose = (chosen: File | undefined) => {
    setFile(chosen);
    setCancelled(false);
    send.reset();
    described.reset();
    if (chosen && chosen.size <= LARGEST_FILE) described.mutate(chosen);
  };
  const said = described.data;
  const off = whyOff(file, described.isPending, described.error, said);
  return (
    <Dialog title={`Upload a state to ${name}`} onClose={transfer.progress ? transfer.cancel : onClose} wide>
      {transfer.progress ? (
        <Transfer what={file?.name ?? ''} progress={transfer.progress} onCancel={transfer.cancel} />
      ) : (
        <Form
          action="Upload"
          off={off}
          busy={send.isPending}
          fault={send.error}
          done={wasCancelled && 'Cancelled: nothing was written.'}
          onSubmit={() => file && said && send.mutate({ bytes: file, said })}
          also={<Button onClick={onClose}>Cancel</Button>}
        >
          <FileField
            label="File"
            help="A state of OpenTofu or Terraform, as state pull prints it."
            accept=".json,.tfstate,.backup,application/json"
            file={file}
            onFile={choose}
          />
          {said && (
            <div className={styles.said}>
              <Facts
                of={[
                  ['Serial', followsText(said, newest)],
                  ['Lineage', said.lineage && <code key="lineage">{said.lineage}</code>],
                  ['Format', said.format !== 4 && 'none that is read here: it is kept as it is'],
                  ['MD5', <code key="md5">{said.md5}</code>],
                ]}
              />
            </div>
          )}
          <Check
            label="Whatever stands there"
            help="Also with a lower serial, or another lineage: it takes the place of a state that it does not come from."
            checked={force}
            onCheck={setForce}
          />
        </Form>
      )}
    </Dialog>
  );
}

function whyOff(file: File | undefined, isReading: boolean, error: Error | null, said: Described | undefined) {
  if (!file) return 'Choose a file first';
  if (file.size > LARGEST_FILE) {
    return `A page reads up to ${bytes(LARGEST_FILE)}: push a larger one from a command line`;
  }
  if (isReading) return 'The file is being read…';
  if (error) return error.message;
  return said?.serial === undefined ? 'This is no state: it has no serial' : undefined;
}

function followsText({ serial, lineage }: Described, newest: Version | undefined) {
  if (!newest || serial === undefined) return String(serial ?? '');
  const there = newest.attributes;
  if (there.lineage && lineage && there.lineage !== lineage)
    return `${serial}, of another lineage than the current one`;
  return serial > there.serial ? `${serial}, follows ${there.serial}` : `${serial}; the current one is ${there.serial}`;
}
