import { resolve } from "node:path";
import { BaseError } from "../../lib/error.ts";
import { folderTarget } from "./folder-target.ts";
import { s3Target } from "./s3-target.ts";
import type { BackupTarget } from "./target.ts";

const S3 = "s3://";

/** Access to a bucket: its endpoint, if given, and the environment, with the usual variables for S3. */
export interface S3Access {
  endpoint?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Opens a place for backups: a folder, or `s3://bucket/prefix`.
 *
 * @throws InvalidPlace, NoCredentials
 */
export function openTarget(place: string, access: S3Access): BackupTarget {
  return place.startsWith(S3) ? openBucket(place, access) : openFolder(place);
}

function openFolder(place: string): BackupTarget {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(place)) throw new InvalidPlace(place);
  return folderTarget(resolve(place));
}

function openBucket(place: string, { endpoint, env }: S3Access): BackupTarget {
  const [bucket = "", ...keys] = place.slice(S3.length).split("/");
  if (!/^[a-z0-9][a-z0-9.-]+$/i.test(bucket)) throw new InvalidPlace(place);
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!accessKeyId || !secretAccessKey) throw new NoCredentials();
  const path = keys.filter((key) => key !== "").join("/");
  return s3Target({
    bucket,
    prefix: path === "" ? "" : `${path}/`,
    endpoint: endpoint ?? (env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || undefined),
    region: env.AWS_REGION || env.AWS_DEFAULT_REGION || "us-east-1",
    accessKeyId,
    secretAccessKey,
    sessionToken: env.AWS_SESSION_TOKEN || undefined,
  });
}

class InvalidPlace extends BaseError {
  constructor(place: string) {
    super(
      "bad-config",
      `${JSON.stringify(place)} is not a valid place for backups: give a folder or s3://bucket/prefix.`,
    );
  }
}

class NoCredentials extends BaseError {
  constructor() {
    super("bad-config", "A bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.");
  }
}
