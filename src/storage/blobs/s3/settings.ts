/** Access to an S3-compatible store. */
export interface S3Settings {
  readonly bucket: string;
  readonly region: string;
  /** URL such as `https://s3.example.com`; absent for that of AWS in the region. */
  readonly endpoint?: string;
  /** Prefix of all object names: empty, or such as `lockkeeper/`. */
  readonly prefix: string;
  /** Whether the bucket is in the path of a URL instead of its host. */
  readonly forcePathStyle: boolean;
  /** Absent to use those that the AWS SDK finds (environment, profile, role of the machine). */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}
