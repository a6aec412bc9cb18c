// A page of many rows is sent as one field: Django refuses a form of more than a thousand. See packing.py.
"use strict";

const MOST = 500;
const APART = new Set(["csrfmiddlewaretoken"]);

document.addEventListener("formdata", ({ formData }) => {
  const fields = [...formData].filter(([name]) => !APART.has(name));
  if (fields.length <= MOST || fields.some(([, value]) => typeof value !== "string")) return;
  for (const [name] of fields) formData.delete(name);
  const asSent = fields.map(([name, value]) => [name, value.replace(/\r\n|\r|\n/g, "\r\n")]);
  formData.append("packed", JSON.stringify(asSent));
});
