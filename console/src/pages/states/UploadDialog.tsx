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
import * as texts from './texts.ts';
import type { Version } from './version.ts';

interface UploadDialogProps {
  readonly workspaceId: string;
  readonly name: string;
  /** Current state of the workspace. */
  readonly newest: Version | undefined;
  readonly onClose: () => void;
}

/**
 * Uploads a state file: first creates the version from the serial, lineage and checksum in the file, then sends the
 * bytes.
 */
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
      if (address === null) throw new ApiError(0, texts.theServerReturnedNo, '');
      return transfer.send(address, content);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: workspaces.key() }),
    onSuccess: (isSent, { said }) => {
      setCancelled(!isSent);
      announce(isSent ? texts.stateUploaded(said.serial) : texts.canceledNothingWasUploaded);
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
    <Dialog title={texts.uploadAStateTo(name)} onClose={transfer.progress ? transfer.cancel : onClose} wide>
      {transfer.progress ? (
        <Transfer what={file?.name ?? ''} progress={transfer.progress} onCancel={transfer.cancel} />
      ) : (
        <Form
          action={texts.upload}
          off={off}
          busy={send.isPending}
          fault={send.error}
          done={wasCancelled && texts.canceledNothingWasUploaded2}
          onSubmit={() => file && said && send.mutate({ bytes: file, said })}
          also={<Button onClick={onClose}>{texts.cancel}</Button>}
        >
          <FileField
            label={texts.file}
            help={texts.aStateFileOf}
            accept=".json,.tfstate,.backup,application/json"
            file={file}
            onFile={choose}
          />
          {said && (
            <div className={styles.said}>
              <Facts
                of={[
                  [texts.serial, followsText(said, newest)],
                  [texts.lineage, said.lineage && <code key="lineage">{said.lineage}</code>],
                  [texts.format, said.format !== 4 && texts.unknownTheServerStores],
                  [texts.md5, <code key="md5">{said.md5}</code>],
                ]}
              />
            </div>
          )}
          <Check
            label={texts.overwriteTheCurrentState}
            help={texts.acceptsALowerSerial}
            checked={force}
            onCheck={setForce}
          />
        </Form>
      )}
    </Dialog>
  );
}

function whyOff(file: File | undefined, isReading: boolean, error: Error | null, said: Described | undefined) {
  if (!file) return texts.selectAFile;
  if (file.size > LARGEST_FILE) {
    return texts.theConsoleReadsFiles(bytes(LARGEST_FILE));
  }
  if (isReading) return texts.readingTheFile;
  if (error) return error.message;
  return said?.serial === undefined ? texts.thisFileIsNot : undefined;
}

function followsText({ serial, lineage }: Described, newest: Version | undefined) {
  if (!newest || serial === undefined) return String(serial ?? '');
  const there = newest.attributes;
  if (there.lineage && lineage && there.lineage !== lineage) return texts.otherLineage(serial);
  return serial > there.serial ? texts.follows(serial, there.serial) : texts.behindCurrent(serial, there.serial);
}
