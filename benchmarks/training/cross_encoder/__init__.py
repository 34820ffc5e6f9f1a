"""A cross-encoder of one's own: trained on labelled questions, exported as int8 ONNX."""
