import { Option } from "commander";

export function endpointOption(): Option {
  return new Option(
    "--s3-endpoint <url>",
    "URL of an S3-compatible store (AWS_ENDPOINT_URL_S3); default: Amazon S3 in AWS_REGION",
  );
}

export function idOption(purpose: string): Option {
  return new Option("--backup <id>", purpose);
}
