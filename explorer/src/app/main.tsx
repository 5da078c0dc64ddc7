import { QuarryError } from "@quarry/sdk";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { router } from "./router.tsx";
import "./styles.css";

const MAX_RETRIES = 2;

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Client errors (4xx) are permanent; other failures may be temporary.
      retry: (failures, error) =>
        failures < MAX_RETRIES && !(error instanceof QuarryError && isClientError(error.status)),
      refetchOnWindowFocus: false,
    },
  },
});

function isClientError(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500;
}

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
